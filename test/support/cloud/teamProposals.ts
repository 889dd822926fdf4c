import { sha256 } from '../../../src/base/system/ids/ids.ts';
import type { SentProposal } from '../../../src/contract/schema/cloud/teamOverlay.ts';
import { hashProposalContent } from '../../../src/workflows/proposals/proposalContent.ts';
import type { TestControlPlane } from './startTestControlPlane.ts';
import { asUser } from './testTeam.ts';

/** A proposal as a runner sends it. */
export function toSentProposal(
  files: SentProposal['files'],
  more: Partial<SentProposal> = {},
): SentProposal {
  const { kind = 'memory' } = more;
  return {
    kind,
    description: 'Say how to build.',
    files,
    hash: hashProposalContent({ kind, layer: 'tenant', repo: null, files }),
    jobId: 'job-1',
    phase: 'coding',
    at: '2026-11-20T10:00:00.000Z',
    simulated: [],
    ...more,
  };
}

export const toProposalId = (name: string): string => sha256(name).slice(0, 16);

/** What people and a runner ask of the overlay of the team `acme`. */
export class ProposalClient {
  readonly #node: TestControlPlane;
  readonly #token: string;

  constructor(node: TestControlPlane, token: string) {
    this.#node = node;
    this.#token = token;
  }

  async ofRunner(method: string, path: string, body?: object) {
    const reply = await this.#node.ask(`/runner${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }

  send(id: string, proposal: SentProposal) {
    return this.ofRunner('PUT', `/proposals/${id}`, proposal);
  }

  async ask(userId: string, method: string, path: string, body?: object) {
    const reply = await this.#node.ask(`/teams/acme${path}`, {
      method,
      headers: asUser(userId),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }

  /** Approves what the team has now, with every warning. */
  async approve(userId: string, id: string) {
    const { body } = await this.ask(userId, 'GET', `/proposals/${id}`);
    const allow = body.checks.warnings.map((warning: { id: string }) => warning.id);
    return this.ask(userId, 'POST', `/proposals/${id}/approve`, { hash: body.hash, allow });
  }

  apply(userId: string, id: string) {
    return this.ask(userId, 'POST', `/proposals/${id}/apply`, {});
  }
}
