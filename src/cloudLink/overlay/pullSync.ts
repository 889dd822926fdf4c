import type Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { shorten } from '../../base/text/clip.ts';
import type { Clock } from '../../base/time/clock.ts';
import {
  type OverlayPull,
  OverlayPullContent,
  OverlayPullList,
  type OverlayPullReport,
  OverlayPullClaim,
} from '../../contract/schema/cloud/overlayPull.ts';
import type { OverlayRepository } from '../../contract/schema/cloud/team.ts';
import { MAX_SENT_PROPOSAL_BYTES } from '../../contract/schema/cloud/teamOverlay.ts';
import type { PrState } from '../../contract/schema/forge/pr.ts';
import {
  readAll,
  readPieces,
  type RunnerRequest,
  type RunnerRequests,
} from '../homes/runnerRequests.ts';

/** Pull requests at the forges of this runner. */
export interface PullSource {
  serves(repository: OverlayRepository): boolean;
  open(
    pull: OverlayPull,
    content: OverlayPullContent,
    signal: AbortSignal,
  ): Promise<{ number: number; url: string }>;
  readState(pull: OverlayPull & { number: number }): Promise<PrState>;
  readMerged(
    pull: OverlayPull,
    content: OverlayPullContent,
  ): Promise<{ path: string; text: string | null }[]>;
}

export interface PullSyncOptions {
  pulls: PullSource;
  /** Whether the same attempt may succeed later. */
  isPassing(error: unknown): boolean;
  requests: RunnerRequests;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

/** Between two looks while the team waits for a pull request, ms. */
export const LOOK_AGAIN_MS = 60_000;
/** How long a request is tried, ms; the next look tries again. */
const TRY_MS = 30_000;
/** Longest reason that is reported, characters. */
const MAX_REASON_CHARS = 900;

type WithoutKey<Report> = Report extends unknown ? Omit<Report, 'hash' | 'attempt'> : never;

/**
 * Opens the pull requests that apply proposals for the overlay of the team, and reports what becomes of them. Nothing is
 * remembered: the control plane says what is wanted, and a repeat finds the same branch and the same pull request.
 */
export class PullSync {
  readonly #options: PullSyncOptions;
  readonly #stop = new AbortController();
  #isRunning = false;
  #isAsked = false;
  #cancelLook: () => void = () => undefined;

  constructor(options: PullSyncOptions) {
    this.#options = options;
  }

  /** A pull request may be wanted. Never rejects. */
  look(): void {
    this.#isAsked = true;
    if (!this.#isRunning && !this.#stop.signal.aborted) void this.#run();
  }

  close(): void {
    this.#stop.abort();
    this.#cancelLook();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#cancelLook();
    let isWaiting = false;
    while (this.#isAsked && !this.#stop.signal.aborted) {
      this.#isAsked = false;
      isWaiting = await this.#lookOnce();
    }
    this.#isRunning = false;
    const { clock } = this.#options;
    if (isWaiting && !this.#stop.signal.aborted)
      this.#cancelLook = clock.at(clock.now() + LOOK_AGAIN_MS, () => this.look());
  }

  /** Whether to look again later. */
  async #lookOnce(): Promise<boolean> {
    const { log, pulls } = this.#options;
    try {
      const list = await this.#ask(OverlayPullList, {
        method: 'GET',
        path: '/runner/overlay/pulls',
      });
      for (const pull of list.pulls) if (pulls.serves(pull.repository)) await this.#advance(pull);
      return list.isWaiting;
    } catch (error) {
      // A control plane of an earlier version wants none.
      if (error instanceof SvcError && error.code === 'not-found') return false;
      if (!this.#stop.signal.aborted)
        log.warn({ problem: toErrorMessage(error) }, 'pull requests of the team were not read');
      return true;
    }
  }

  /** What fails here is tried again at the next look. */
  async #advance(pull: OverlayPull): Promise<void> {
    try {
      if (!pull.isMine && !(await this.#report(pull, { state: 'taken' }))) return;
      const { number } = pull;
      if (number === null) await this.#open(pull);
      else await this.#follow({ ...pull, number });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const facts = { proposal: pull.proposalId, problem: toErrorMessage(error) };
      this.#options.log.warn(facts, 'a pull request for the overlay of the team must wait');
    }
  }

  async #open(pull: OverlayPull): Promise<void> {
    const content = await this.#readContent(pull);
    await this.#reportResult(pull, async () => {
      const opened = await this.#options.pulls.open(pull, content, this.#stop.signal);
      return { state: 'open', ...opened };
    });
  }

  async #follow(pull: OverlayPull & { number: number }): Promise<void> {
    const { pulls } = this.#options;
    await this.#reportResult(pull, async () => {
      const state = await pulls.readState(pull);
      if (state === 'closed') return { state, reason: 'the forge shows it as closed' };
      if (state !== 'merged') return null;
      return { state, files: await pulls.readMerged(pull, await this.#readContent(pull)) };
    });
  }

  /** Reports what an attempt gives, if anything; where the forge refuses for good, why. */
  async #reportResult(
    pull: OverlayPull,
    attempt: () => Promise<WithoutKey<OverlayPullReport> | null>,
  ): Promise<void> {
    const report = await attempt().catch((error: unknown): WithoutKey<OverlayPullReport> => {
      if (this.#stop.signal.aborted || this.#options.isPassing(error)) throw error;
      const isConflict = error instanceof SvcError && error.code === 'conflict';
      return {
        state: isConflict ? 'conflicted' : 'unable',
        reason: shorten(toErrorMessage(error), MAX_REASON_CHARS),
      };
    });
    if (report !== null) await this.#report(pull, report);
  }

  async #report(
    { proposalId, hash, attempt }: OverlayPull,
    report: WithoutKey<OverlayPullReport>,
  ): Promise<boolean> {
    const path = `/runner/overlay/pulls/${proposalId}`;
    const body = { hash, attempt, ...report };
    return (await this.#ask(OverlayPullClaim, { method: 'POST', path, body })).isTaken;
  }

  #readContent({ proposalId }: OverlayPull): Promise<OverlayPullContent> {
    return this.#ask(OverlayPullContent, {
      method: 'GET',
      path: `/runner/overlay/pulls/${proposalId}`,
    });
  }

  async #ask<Schema extends Type.TSchema>(
    schema: Schema,
    request: RunnerRequest,
  ): Promise<Type.Static<Schema>> {
    const { requests, clock } = this.#options;
    const patience = { signal: this.#stop.signal, until: clock.now() + TRY_MS };
    const answer = await requests.send(request, patience);
    const bytes = await readAll(readPieces(answer, clock), MAX_SENT_PROPOSAL_BYTES);
    const reply = parseJsonOrNull(new TextDecoder().decode(bytes));
    if (Check(schema, reply)) return reply as Type.Static<Schema>;
    throw new SvcError(
      'internal',
      "The control plane's reply about a pull request is not valid. Is it of a newer version?",
    );
  }
}
