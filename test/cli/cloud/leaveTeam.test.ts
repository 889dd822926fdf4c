import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leaveTeam } from '../../../cli/cloud/leaveTeam.ts';
import { readHomeSettings } from '../../../cli/cloud/readHomeSettings.ts';
import type { Client } from '../../../src/api/client/client.ts';
import type { LeaveTeamReply } from '../../../src/contract/schema/runner/leaveTeam.ts';

const test = suite('svc logout of a running home of a team');

const SINCE = '2026-11-01T00:00:00.000Z';

/** A runner for which so many changes wait; it answers each request to leave with the next reply. */
async function leave(changes: number, replies: LeaveTeamReply[], abandon: boolean) {
  const home = mkdtempSync(join(tmpdir(), 'svc-leave-'));
  const bodies: object[] = [];
  const runner: Pick<Client, 'health' | 'leaveTeam'> = {
    health: async () => ({
      status: 'ok',
      version: '0.2.0',
      mode: 'hybrid',
      startedAt: SINCE,
      jobs: { live: 0, parked: 0, ended: 0 },
      deprecatedUses: [],
      cloud: {
        url: 'https://team.example',
        connection: 'connecting',
        since: SINCE,
        problem: 'The connection broke.',
        team: null,
        runner: null,
        state: { place: 'waiting', changes, since: SINCE },
      },
    }),
    leaveTeam: async (body = {}) => {
      bodies.push(body);
      return replies.shift() ?? { left: true, unsent: 0 };
    },
  };
  const lines: string[] = [];
  try {
    const departure = await leaveTeam(
      {
        err: (text) => void lines.push(text),
        ask: null,
        now: () => 0,
        onInterrupt: () => () => undefined,
      },
      {
        runner,
        settings: await readHomeSettings({ env: { SVC_HOME: home }, homeDir: home }),
        abandon,
        yes: true,
      },
    );
    return { departure, bodies, lines };
  } finally {
    rmSync(home, { recursive: true });
  }
}

test('it waits until the control plane has the last change, and says once for how many', async () => {
  const { departure, bodies, lines } = await leave(
    3,
    [
      { left: false, unsent: 3 },
      { left: false, unsent: 1 },
      { left: true, unsent: 0 },
    ],
    false,
  );
  assert.equal(departure, { unsent: 0 });
  assert.equal(bodies, [{}, {}, {}]);
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /\b3 change/);
});

test('--abandon says first how many changes the control plane may lack', async () => {
  const { departure, bodies, lines } = await leave(3, [{ left: true, unsent: 3 }], true);
  assert.equal([departure, bodies], [{ unsent: 3 }, [{ abandon: true }]]);
  assert.match(lines[0] ?? '', /\b3 change/);
});

test.run();
