import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActorIndex } from '../../src/kernel/chart.ts';
import type { ArchiveStep } from '../../src/kernel/sqlite/archive/segmentDeps.ts';
import { type OpenStore, openStore } from '../../src/jobs/store/openStore.ts';
import type { Batch, FrameRow, JournalRow } from '../../src/kernel/writer.ts';

export const ARCHIVED_AT = Date.UTC(2026, 5, 1);

export interface Life {
  chart?: string;
  parent?: string | null;
  activity?: ActorIndex['activity'];
  /** Events and frames, from the next number on. */
  events: JournalRow['event'][];
  frames: Pick<FrameRow, 'kind' | 'data'>[];
}

export const logLine = (line: string, tag: string | null = null): Life['frames'][number] => ({
  kind: 'log',
  data: { at: '2026-01-01T00:00:00.000Z', phase: 'p', visit: 1, from: 'agent', tag, line },
});
export const stateFrame = (event: string): Life['frames'][number] => ({
  kind: 'state',
  data: { at: '2026-01-01T00:00:00.000Z', state: [event], event, ended: event === 'end' },
});
export const createLife = (lines: number, events = 10): Life => ({
  events: Array.from({ length: events }, (_, n) => ({ type: 'tool.report', n })),
  frames: [
    stateFrame('begin'),
    ...Array.from({ length: lines }, (_, n) =>
      logLine(`line ${n} ünïcode "quoted" \\n`, n % 10 === 0 ? 'gate' : null),
    ),
    stateFrame('end'),
  ],
});

/** A real store in a folder of its own, with actors that tests make. */
export class ArchiveStage {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-archive-stage-'));
  readonly #copies: string[] = [];
  reached: (step: ArchiveStep) => void = () => {};
  store: OpenStore = this.open(this.home);
  #generation = this.store.durable.claim();

  open(home: string): OpenStore {
    return openStore({
      file: join(home, 'state.db'),
      pid: 1,
      now: ARCHIVED_AT,
      onArchiveStep: (step) => this.reached(step),
    });
  }

  reopen(): void {
    this.store.close();
    this.store = this.open(this.home);
    this.#generation = this.store.durable.claim();
  }

  commit(part: Partial<Batch>): void {
    const none: Omit<Batch, 'generation'> = {
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows: [],
    };
    void this.store.durable.commit({ generation: this.#generation, ...none, ...part });
  }

  live(id: string, { chart = 'job', parent = null, activity = 'ended', events, frames }: Life) {
    const before = this.store.durable.actor(id);
    const [seq, frameSeq] = [before?.seq ?? 0, before?.frameSeq ?? 0];
    const index = { label: 'complete', kind: 'feature', parent, slot: false, waitingSince: null };
    this.commit({
      actors: [
        {
          id,
          chart,
          version: 1,
          snapshot: '{}',
          seq: seq + events.length,
          frameSeq: frameSeq + frames.length,
          index: { ...index, activity },
          createdAt: 1,
          updatedAt: 2,
          since: 2,
        },
      ],
      journal: events.map((event, at) => ({
        actor: id,
        seq: seq + at + 1,
        at: 1_000 + at,
        event,
        path: ['working', 'ended'],
        effects: [{ type: 'frame.add' }],
        note: event.type === 'kernel.recovered',
      })),
      frames: frames.map((frame, at) => ({
        actor: id,
        n: frameSeq + at + 1,
        at: 2_000 + at,
        ...frame,
      })),
    });
  }

  seen(id: string, page = 7, store = this.store): Record<string, unknown> {
    const { durable, frames } = store;
    const paged = <Row>(
      read: (after: number) => Row[],
      readNumber: (row: Row) => number,
    ): Row[] => {
      const rows: Row[] = [];
      for (let after = 0; ; ) {
        const batch = read(after);
        rows.push(...batch);
        const last = batch.at(-1);
        if (last === undefined || batch.length < page) return rows;
        after = readNumber(last);
      }
    };
    return {
      journal: paged(
        (after) => durable.journal(id, after, page),
        ({ seq }) => seq,
      ),
      frames: paged(
        (after) => durable.frames(id, after, page),
        ({ n }) => n,
      ),
      log: paged(
        (after) => frames.logFrom(id, after + 1, page),
        ({ n }) => n,
      ),
      newest: frames.logBefore(id, Number.MAX_SAFE_INTEGER, page),
      middle: frames.logBefore(id, page, 3),
      tagged: frames.readTagged(id, 'gate', page),
      beside: frames.listBesideLog(id, 0),
      states: frames.ofKind(id, 'state', 0),
      recovered: frames.listRecoveries(id),
    };
  }

  /** The home as it is on the disk now, as `kill -9` would leave it. */
  copy(): string {
    const to = mkdtempSync(join(tmpdir(), 'svc-archive-copy-'));
    cpSync(this.home, to, { recursive: true });
    this.#copies.push(to);
    return to;
  }

  files(home = this.home): string[] {
    return readdirSync(join(home, 'archive')).sort();
  }

  [Symbol.dispose](): void {
    this.store.close();
    for (const dir of [this.home, ...this.#copies]) rmSync(dir, { recursive: true, force: true });
  }
}
