import { allowBody, requireBody } from '../../contract/routes/route.ts';
import {
  PairBody,
  PairedRunner,
  PairingCode,
  PairingCodeBody,
  RunnersQuery,
  TeamRunnerList,
} from '../../contract/schema/cloud/teamRunner.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

export const runnerRoutes = {
  createPairingCode: {
    who: 'member',
    summary:
      'Creates a code that pairs one machine with the team: your own, or, as an admin, one of the pool. It works once, within ten minutes.',
    target: ['pool', 'labels'],
    body: allowBody(PairingCodeBody),
    status: 201,
    reply: PairingCode,
    refusals: ['forbidden'],
  },
  pairRunner: {
    who: 'anyone',
    summary:
      "Exchanges a pairing code for the token of a runner. A home that is paired already gets a new token; the old one ends. 409 where the home is another person's runner, or the team has 100 runners.",
    body: requireBody(PairBody),
    status: 201,
    reply: PairedRunner,
    refusals: ['forbidden', 'conflict', 'not-possible-now'],
  },
  teamRunners: {
    who: 'viewer',
    summary:
      'The connected runners of the team, by name; with all=1 also those that are away or revoked.',
    query: RunnersQuery,
    reply: TeamRunnerList,
    refusals: [],
  },
  revokeRunner: {
    who: 'viewer',
    summary:
      'Revokes a runner: its owner, or an admin. Its connection is closed within 5 s, and its token is no longer valid.',
    refusals: ['forbidden', 'not-found'],
  },
} satisfies SomeCloudRoutes;
