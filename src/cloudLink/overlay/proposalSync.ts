import { Check } from 'typebox/value';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type SentProposal, SentProposalState } from '../../contract/schema/cloud/teamOverlay.ts';
import type { RunnerRequests } from '../homes/runnerRequests.ts';

/** The proposals of this runner for the overlay of its team. */
export interface ProposalSource {
  list(): string[];
  read(id: string): SentProposal | null;
  follow(proposalState: SentProposalState): Promise<void>;
  noteProblem(id: string, problem: string): Promise<void>;
}

export interface ProposalSyncOptions {
  proposals: ProposalSource;
  requests: RunnerRequests;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

/** How long a request for one proposal is tried before the next one has its turn, ms. */
const TRY_MS = 30_000;
/** Wait after a round in which one could not be sent, ms. */
const AGAIN_MS = 15_000;

/** Refusals that no later attempt changes. */
const LASTING = new Set<SvcError['code']>([
  'bad-argument',
  'invalid',
  'malformed',
  'too-large',
  'workflow-invalid',
  'conflict',
]);

/**
 * Sends the proposals that wait for the team, each until the control plane has it, and takes over what the team decides.
 * Nothing is remembered on disk: what the control plane has is asked for at each start, and a repeat is harmless.
 */
export class ProposalSync {
  readonly #options: ProposalSyncOptions;
  readonly #stop = new AbortController();
  /** Those that the control plane has, or does not take. */
  readonly #settled = new Set<string>();
  #isRunning = false;
  #isAsked = false;
  #cancelRetry: () => void = () => undefined;

  constructor(options: ProposalSyncOptions) {
    this.#options = options;
  }

  /** A proposal has come to wait. Never rejects. */
  wake(): void {
    this.#isAsked = true;
    if (!this.#isRunning && !this.#stop.signal.aborted) void this.#run();
  }

  /** The team may have decided about one: all are asked for. */
  lookAgain(): void {
    this.#settled.clear();
    this.wake();
  }

  close(): void {
    this.#stop.abort();
    this.#cancelRetry();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#cancelRetry();
    let hasFailed = false;
    while (this.#isAsked && !this.#stop.signal.aborted) {
      this.#isAsked = false;
      hasFailed = false;
      for (const id of this.#options.proposals.list())
        if (!this.#settled.has(id) && !(await this.#settle(id))) hasFailed = true;
    }
    this.#isRunning = false;
    const { clock } = this.#options;
    if (hasFailed && !this.#stop.signal.aborted)
      this.#cancelRetry = clock.at(clock.now() + AGAIN_MS, () => this.wake());
  }

  /** Whether the control plane has the proposal, or refuses it for good. */
  async #settle(id: string): Promise<boolean> {
    const { proposals, log } = this.#options;
    try {
      const state = (await this.#read(id)) ?? (await this.#send(id));
      if (state !== null) await proposals.follow(state);
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      log.warn({ proposal: id, problem: toErrorMessage(error) }, 'a proposal was not sent');
      if (!(error instanceof SvcError && LASTING.has(error.code))) return false;
      await proposals
        .noteProblem(id, `The team does not have it: ${error.message}`)
        .catch(() => undefined);
    }
    this.#settled.add(id);
    return true;
  }

  /** null = the control plane does not have it. */
  async #read(id: string): Promise<SentProposalState | null> {
    try {
      return await this.#ask('GET', id);
    } catch (error) {
      if (error instanceof SvcError && error.code === 'not-found') return null;
      throw error;
    }
  }

  async #send(id: string): Promise<SentProposalState | null> {
    const sentProposal = this.#options.proposals.read(id);
    return sentProposal === null ? null : this.#ask('PUT', id, sentProposal);
  }

  async #ask(method: 'GET' | 'PUT', id: string, body?: SentProposal): Promise<SentProposalState> {
    const { requests, clock } = this.#options;
    const request = { method, path: `/runner/proposals/${id}`, ...(body && { body }) };
    const patience = { signal: this.#stop.signal, until: clock.now() + TRY_MS };
    const reply = await requests.ask(request, patience);
    if (Check(SentProposalState, reply)) return reply;
    throw new SvcError(
      'internal',
      "The control plane's reply about a proposal is not valid. Is it of a newer version?",
    );
  }
}
