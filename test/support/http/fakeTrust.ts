import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Trust } from '../../../src/contract/workflow/trust.ts';
import type { TrustBody, TrustView } from '../../../src/contract/schema/workflow/trust.ts';

export const TRUST_HASH = 'a'.repeat(64);

export const UNTRUSTED: TrustView = {
  repo: 'shop',
  path: '/srv/shop',
  commit: 'c'.repeat(40),
  state: 'untrusted',
  hash: TRUST_HASH,
  trustedAt: null,
  problem: null,
  wants: [
    {
      path: '.svc/agents/check.md',
      reason: 'it declares a program to run',
      sha256: 'b'.repeat(64),
      runs: ['node {layer}/check.mjs --all'],
      variables: [],
      since: null,
    },
  ],
  env: [],
};

export const TRUSTED: TrustView = {
  ...UNTRUSTED,
  state: 'trusted',
  trustedAt: '2026-01-01T00:00:00.000Z',
};

export class FakeTrust implements Trust {
  readonly calls: unknown[][] = [];

  async list() {
    return [UNTRUSTED];
  }

  async add(body: TrustBody) {
    this.calls.push(['add', body]);
    if (body.hash !== TRUST_HASH) throw new SvcError('conflict', 'It has changed.');
    return TRUSTED;
  }

  async remove(repo: string) {
    this.calls.push(['remove', repo]);
  }
}
