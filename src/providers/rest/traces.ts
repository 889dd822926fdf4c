import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { NewsBatch, PrAddress, AuthoredEvent } from '../../contract/forge/forge.ts';
import { shorten } from '../../base/text/clip.ts';
import type { Hindrance } from './hindrance.ts';
import { classifyFailure, MAX_UNANSWERED } from './classifyFailure.ts';

const MAX_WHY_CHARS = 300;

const toTraceKey = ({ repo, number }: PrAddress): string => `${repo.toLowerCase()}#${number}`;

/**
 * What was read of a pull request: its news, and whether it can be merged as it is; default:
 * unknown.
 */
type ReadPrNews =
  | AuthoredEvent[]
  | {
      news: AuthoredEvent[];
      mergeable: boolean;
      isOpen: boolean;
      /** Default: none. */
      hindrances?: readonly Hindrance[];
    };

const hasPassedChecks = (news: readonly AuthoredEvent[]): boolean =>
  news.some(({ event }) => event.kind === 'check_passed');

/**
 * Renames events to the repository name that svc knows, so that they stay the same after a rename.
 */
function restoreAskedName({ repo, number }: PrAddress, one: AuthoredEvent): AuthoredEvent {
  const { forge, prId: foreignPrId, externalId } = one.event;
  const prId = `${forge}:${repo}#${number}`;
  const id = externalId.startsWith(foreignPrId)
    ? `${prId}${externalId.slice(foreignPrId.length)}`
    : externalId;
  return { ...one, event: { ...one.event, repo, number, prId, externalId: id } };
}

/**
 * A clause that names the pull request; an error that is not svc's own means an unexpected shape.
 */
const explainTraceFailure = ({ repo, number }: PrAddress, error: unknown): string =>
  error instanceof SvcError
    ? error.message
    : `the answer about ${repo}#${number} is not as expected: ${shorten(toErrorMessage(error), MAX_WHY_CHARS)}`;

interface ChangedPr {
  pr: PrAddress;
  /** To be called after it was read. */
  read(): void;
}

interface Trace {
  text: string;
  /** Epoch ms; 0 = long ago. */
  changedAt: number;
}

export interface TracesOptions {
  /** How far the forge may lag, ms: a change is checked again until that time has passed. */
  windowMs: number;
  /**
   * Traces in the order of the pull requests, in as few requests as possible; undefined for a pull
   * request that is gone or hidden, null for one about which the answer has nothing readable, and
   * which is read itself. A plain text counts as changed now.
   */
  ask(prs: readonly PrAddress[]): Promise<(string | Trace | null | undefined)[]>;
}

/** Tells which pull requests have changed since they were read; at the start, all have. */
export class Traces {
  readonly #options: TracesOptions;
  readonly #known = new Map<string, Trace>();
  readonly #hindered = new Map<string, { why: string; asks: boolean; isOpen: boolean }>();

  constructor(options: TracesOptions) {
    this.#options = options;
  }

  /** Makes them count as changed. */
  forget(prs: readonly PrAddress[]): void {
    for (const pr of prs) this.#known.delete(toTraceKey(pr));
  }

  /**
   * `changed`: to be read now. `shown`: all that the forge shows, including these; `unseen`: the
   * others.
   */
  async #look(
    prs: readonly PrAddress[],
    now: number,
  ): Promise<{ changed: ChangedPr[]; shown: PrAddress[]; unseen: PrAddress[] }> {
    const changedPrs: ChangedPr[] = [];
    const prAddresses: PrAddress[] = [];
    const unseen: PrAddress[] = [];
    const traces = await this.#options.ask(prs);
    prs.forEach((pr, n) => {
      const answer = traces[n];
      (answer === undefined ? unseen : prAddresses).push(pr);
      if (answer === undefined) return;
      if (answer === null) {
        changedPrs.push({ pr, read: () => {} });
        return;
      }
      const currentTrace = typeof answer === 'string' ? { text: answer, changedAt: now } : answer;
      const { text } = currentTrace;
      const key = toTraceKey(pr);
      const before = this.#known.get(key);
      const trace = before?.text === text ? before : currentTrace;
      // Remembered only after the reading, so that a failure in between does not lose the change.
      if (trace !== before || now - trace.changedAt < this.#options.windowMs)
        changedPrs.push({ pr, read: () => this.#known.set(key, trace) });
      else if (trace.changedAt !== 0)
        changedPrs.push({ pr, read: () => this.#known.set(key, { text, changedAt: 0 }) });
    });
    const wantedKeys = new Set(prs.map(toTraceKey));
    for (const key of this.#known.keys()) if (!wantedKeys.has(key)) this.#known.delete(key);
    for (const key of this.#hindered.keys()) if (!wantedKeys.has(key)) this.#hindered.delete(key);
    return { changed: changedPrs, shown: prAddresses, unseen };
  }

  /**
   * Reads the changed pull requests. One that cannot be read is left out with the reason, tried
   * again the next time, and does not keep the others from being read.
   */
  async news(
    prs: readonly PrAddress[],
    now: number,
    read: (pr: PrAddress) => Promise<ReadPrNews>,
  ): Promise<NewsBatch> {
    const { changed, shown, unseen } = await this.#look(prs, now);
    const remainingPrs = new Set(changed.map(({ pr }) => pr));
    const isOpen = new Map<PrAddress, boolean>();
    const batch = {
      news: [] as AuthoredEvent[],
      mergeable: [] as PrAddress[],
      notGreen: [] as PrAddress[],
      unseen: unseen as NonNullable<NewsBatch['unseen']>,
      unanswered: [] as NonNullable<NewsBatch['unanswered']>,
      problem: null as Error | null,
    };
    const commitSeen: (() => void)[] = [];
    let inSequence = 0;
    let isAnswering = false;
    let firstError: Error | null = null;
    for (const { pr, read: wasRead } of changed) {
      try {
        const was = await read(pr);
        const news = (Array.isArray(was) ? was : was.news).map((one) => restoreAskedName(pr, one));
        batch.news.push(...news);
        if (!hasPassedChecks(news)) batch.notGreen.push(pr);
        if (!Array.isArray(was) && was.mergeable) batch.mergeable.push(pr);
        if (!Array.isArray(was)) isOpen.set(pr, was.isOpen);
        if (!this.#noteHindrances(pr, was)) commitSeen.push(wasRead);
        remainingPrs.delete(pr);
        [inSequence, isAnswering] = [0, true];
      } catch (error) {
        const failure = classifyFailure(error);
        const why = explainTraceFailure(pr, error);
        if (failure === 'one') {
          batch.unseen.push({ ...pr, why });
          [inSequence, isAnswering] = [0, true];
          continue;
        }
        batch.unanswered.push({ ...pr, why });
        firstError = error as Error;
        inSequence += 1;
        // The other pull requests would fail as well.
        if (failure === 'no answer' && inSequence < MAX_UNANSWERED) continue;
        batch.problem = firstError;
        break;
      }
    }
    // A server that has answered about another pull request is not away.
    if (!isAnswering) batch.problem ??= firstError;
    const shownNow = shown.filter((pr) => !remainingPrs.has(pr));
    return {
      ...batch,
      seen: shownNow
        .filter((pr) => !this.#hindered.has(toTraceKey(pr)))
        .map((pr) => {
          const open = isOpen.get(pr);
          return open === undefined ? pr : { ...pr, isOpen: open };
        }),
      hindered: shownNow.flatMap((pr) => {
        const hindrance = this.#hindered.get(toTraceKey(pr));
        return hindrance ? [{ ...pr, ...hindrance }] : [];
      }),
      confirmStored: () => commitSeen.forEach((one) => void one()),
    };
  }

  /** Answers whether a part could not be read, so that the pull request counts as changed. */
  #noteHindrances(pr: PrAddress, was: ReadPrNews): boolean {
    const { hindrances = [], isOpen = true } = Array.isArray(was) ? {} : was;
    const [first] = hindrances;
    if (first === undefined) {
      this.#hindered.delete(toTraceKey(pr));
      return false;
    }
    const why = hindrances.map((one) => one.why).join('; ');
    this.#hindered.set(toTraceKey(pr), { why, asks: hindrances.some(({ asks }) => asks), isOpen });
    return hindrances.some(({ isUnread }) => isUnread);
  }
}
