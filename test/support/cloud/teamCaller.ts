import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { asUser } from './testTeam.ts';

export interface ListedDispatch {
  id: string;
  state: string;
  reason: string;
  jobId: string | null;
}

interface AskedNode {
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** Wait before a node is asked again, ms. */
const AGAIN_MS = 50;

/** A member of the team whose nodes are killed: asks until one of them answers. */
export class TeamCaller {
  readonly #pick: () => AskedNode;
  /** Waiting dispatches that were seen without a reason. */
  unexplained = 0;

  constructor(pick: () => AskedNode) {
    this.#pick = pick;
  }

  /** The dispatches of the team; none where no node answers. */
  async list(): Promise<ListedDispatch[]> {
    try {
      const reply = await this.#pick().ask('/teams/acme/dispatches?limit=500', {
        headers: asUser('vic'),
      });
      const list: ListedDispatch[] = reply.ok ? await reply.json() : [];
      for (const { state, reason } of list)
        if (state === 'waiting' && !reason) this.unexplained += 1;
      return list;
    } catch {
      return [];
    }
  }

  /** As a client does it: the same request, with the same key, until a node has taken it. */
  async dispatch(params: object, workflowPath = 'w.md'): Promise<void> {
    const key = randomIds.next();
    for (;;) {
      try {
        const reply = await this.#pick().ask('/teams/acme/jobs', {
          method: 'POST',
          headers: { ...asUser('ada'), 'Idempotency-Key': key },
          body: JSON.stringify({ type: 'job', workflowPath, params }),
        });
        await reply.text();
        if (reply.status < 300) return;
      } catch {
        // The node was killed.
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
