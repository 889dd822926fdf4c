import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import type { ReportedComment } from '../../contract/forge/tracker.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { bareEvent } from '../../providers/hooks/event.ts';
import { cutIssueText } from '../../providers/rest/trackerLimits.ts';

/** Deliveries handled at once; each takes a process. */
const AT_ONCE = 2;
/** Most waiting deliveries: senders would give up on further ones. */
export const MAX_WAITING = 30;

/** Reports a written comment; only its key says which ticket it is on. */
export const toDeliveredEvent = ({
  key,
  own,
  bot = false,
  member = false,
  ...said
}: ReportedComment) => {
  const { id, author, authorId = author, body, at, url = '' } = said;
  const time = Date.parse(at);
  return {
    ...bareEvent,
    event: 'issue.commented',
    kind: 'commented',
    id,
    ref: key,
    // Not shown: a ticket is named by its key, which need not hold a number.
    number: Number(/(\d{1,9})$/.exec(key)?.[1] ?? 0) || 1,
    author,
    identities: [authorId],
    bot,
    member,
    own,
    text: cutIssueText(body),
    url,
    happenedAt: Number.isNaN(time) ? null : time,
  } satisfies DeliveredEvent;
};

interface DeliveriesOptions {
  id: string;
  ask(delivery: unknown): Promise<ReportedComment | null>;
  /** Called with the reason why deliveries cannot be read. */
  onFault(what: string): void;
}

/** Reads the deliveries of an installed tracker, a few at once. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Throws SvcError `unreachable` for a delivery that should be sent again. */
  async eventIn(delivery: unknown): Promise<DeliveredEvent | null> {
    const { ask, onFault } = this.#options;
    if (this.#waiting.length >= MAX_WAITING)
      throw this.#createLaterError('has too many deliveries to read now');
    if (this.#running < AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const reportedComment = await ask(delivery);
      return reportedComment && toDeliveredEvent(reportedComment);
    } catch (error) {
      onFault(`A delivery could not be read: ${toErrorMessage(error)}`);
      // The sender must not see what a plugin says about its server.
      throw this.#createLaterError(
        'could not read the delivery (svc plugin list shows why)',
        error,
      );
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #createLaterError(what: string, cause?: unknown): SvcError {
    const { id } = this.#options;
    return new SvcError('unreachable', `${id} ${what}; send it again.`, { cause });
  }
}
