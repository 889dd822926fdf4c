import type { Intake, IntakeSink, NumberedFrame } from '../../../src/contract/planning/intake.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toInvestigationSummary } from '../../../src/intake/investigationView.ts';
import { createInvestigationRow } from '../../../src/intake/investigationRows.ts';
import type { Investigation } from '../../../src/contract/schema/planning/intake.ts';

export const SESSION_ID = 'chat-1';

export const anInvestigation = (): Investigation => ({
  ...toInvestigationSummary(createInvestigationRow(SESSION_ID, 'Why is it slow?', 0), {
    isRunning: false,
    spent: 0,
  }),
  findings: null,
  status: null,
  run: null,
  model: { provider: null, model: null },
  pinned: null,
  turns: [],
  evidence: [],
  citations: [],
  outside: [],
  items: [],
  resume: null,
  lastFrame: null,
});

/** Remembers what it was asked; its readers get what a test sends them. */
export class FakeIntake implements Intake {
  readonly calls: unknown[][] = [];
  readonly sinks: IntakeSink[] = [];
  kept: NumberedFrame[] = [];
  left = 0;
  refuses: SvcError | null = null;

  #called(...call: unknown[]): void {
    this.calls.push(call);
    if (this.refuses) throw this.refuses;
  }

  async ask(body: Parameters<Intake['ask']>[0]) {
    this.#called('ask', body);
    return { turn: 1 };
  }

  watch(...[sessionId, from, sink]: Parameters<Intake['watch']>) {
    this.#called('watch', sessionId, from);
    this.sinks.push(sink);
    if (this.kept.length > 0) sink.frames(this.kept);
    return () => {
      this.left += 1;
    };
  }

  requireSession(sessionId: string) {
    if (sessionId !== SESSION_ID) throw new SvcError('not-found', 'There is no such session.');
  }

  async stop(sessionId: string) {
    this.#called('stop', sessionId);
    return { stopped: true };
  }

  investigations(query: Parameters<Intake['investigations']>[0]) {
    this.#called('investigations', query);
    return { sessions: [], total: 0, limit: 5, offset: 0 };
  }

  async investigation(sessionId: string) {
    this.requireSession(sessionId);
    return anInvestigation();
  }

  async saveInvestigation(...call: Parameters<Intake['saveInvestigation']>) {
    this.#called('saveInvestigation', ...call);
    return anInvestigation();
  }

  async removeInvestigation(sessionId: string) {
    this.#called('removeInvestigation', sessionId);
  }

  async evidenceText(...call: Parameters<Intake['evidenceText']>) {
    this.#called('evidenceText', ...call);
    return { text: 'found' };
  }

  async citations(...call: Parameters<Intake['citations']>) {
    this.#called('citations', ...call);
    return [];
  }

  async fileLines(...call: Parameters<Intake['fileLines']>) {
    this.#called('fileLines', ...call);
    const [, { path }] = call;
    return { repo: 'shop', commit: 'c', path, fromLine: 1, toLine: 1, lines: 1, text: 'x' };
  }

  async pinNewest(sessionId: string) {
    this.#called('pinNewest', sessionId);
    return anInvestigation();
  }
}
