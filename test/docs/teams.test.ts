import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../src/api/client/client.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { findFreePort } from '../support/cloud/reverseProxies.ts';
import { waitUntil } from '../support/cloud/testTeam.ts';
import { matchShown, readConsoleSteps } from '../support/docs/consoleBlocks.ts';
import { TeamMachines } from '../support/docs/teamMachines.ts';
import { PATIENCE_MS } from '../support/inTime.ts';

const test = suite('documents: the first hour of a team');
const dbTest = defineDatabaseTests(test);

const PAGE = 'docs/guides/teams.md';
const PASSWORD = 'correct horse';
/** A job that waits for a person. */
const WAITS = 7;

const readRunner = (home: string) => {
  const { url } = JSON.parse(readFileSync(join(home, 'runner.json'), 'utf8'));
  const token = readFileSync(join(home, 'runner.token'), 'utf8').trim();
  return createClient({ baseUrl: url, token });
};

/** What Ada does on the page Members, and Ben with the link that he gets. */
async function invite(machines: TeamMachines): Promise<void> {
  const ada = machines.visitor('ada');
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const me = JSON.parse((await ada.send('/me', { headers: json })).text);
  const reply = await ada.send('/teams/acme/invitations', {
    method: 'POST',
    headers: { ...json, 'X-Svc-Csrf': me.csrf },
    body: JSON.stringify({ role: 'member' }),
  });
  const { pathname } = new URL(JSON.parse(reply.text).url);
  const fields = { name: 'Ben', email: 'ben@example.com', password: PASSWORD };
  assert.is((await machines.visitor('ben').fill(pathname, fields)).status, 303);
}

dbTest(
  'its commands work as they are written, and print what it shows (CLD-1 CLD-2 CLD-5 CLI-2)',
  async () => {
    const steps = readConsoleSteps(PAGE);
    assert.ok(steps.length > 12, `${PAGE} has only ${steps.length} commands`);
    const machines = new TeamMachines(await findFreePort());
    /** Names of the page, and what they are in this run. */
    const names = new Map<string, string>();
    try {
      for (const { person, command: written, shown, line } of steps) {
        const place = `${PAGE}:${line}`;
        const command = [...names].reduce(
          (text, [name, own]) => text.replaceAll(name, own),
          written,
        );
        const [, name, value] = /^export (\w+)=(.*)$/.exec(command) ?? [];
        if (name !== undefined && value !== undefined) {
          machines.export(person, name, value);
          continue;
        }
        const compare = (printed: string): void => {
          if (shown.length === 0) return;
          const match = matchShown(shown, printed);
          assert.ok(
            match !== null,
            `${place}: ${command} prints\n${printed}\ninstead of\n${shown.join('\n')}`,
          );
          for (const [key, own] of match ?? []) names.set(key, own);
        };
        if (/^svc cloud start\b/.test(command)) {
          const printed = await machines.runOn(person, command, 'Press Ctrl-C to stop');
          compare(printed);
          const link = /\/auth\/owner\/[\w-]+/.exec(printed)?.[0] ?? '';
          const fields = {
            team: 'Acme',
            name: 'Ada',
            email: 'ada@example.com',
            password: PASSWORD,
          };
          assert.is((await machines.visitor(person).fill(link, fields)).status, 303);
          continue;
        }
        if (/^svc start\b/.test(command)) {
          await machines.runOn(person, `${command} --no-open`, 'In another terminal');
          const runner = readRunner(machines.home(person));
          const isConnected = async () => (await runner.health()).cloud?.connection === 'connected';
          await waitUntil(isConnected, PATIENCE_MS);
          continue;
        }
        if (person === 'ben' && /^svc login\b/.test(command)) await invite(machines);
        const running = machines.run(person, command);
        if (/^svc login\b/.test(command) && !/--pair\b/.test(command))
          await Promise.race([machines.allowInBrowser(person), running]);
        const { code, printed } = await running;
        assert.ok(
          [0, / --wait\b/.test(command) ? WAITS : 0].includes(code ?? -1),
          `${place}: ${command} ends with ${code}:\n${printed}`,
        );
        compare(printed);
      }
      // What the page says beside its blocks.
      const [jobId = ''] = [...names].flatMap(([key, own]) => (key.includes('-job-') ? [own] : []));
      const journal = await readRunner(machines.home('ada')).journal(jobId);
      const resumed = journal.find(({ event }) => event.type === 'job.resume');
      assert.is(Object(resumed?.event).person, 'Ben');
      const waiting = readRunner(machines.home('gpu'));
      await waitUntil(async () => (await waiting.jobs({})).total === 1, PATIENCE_MS);
    } finally {
      await machines.close();
    }
  },
);

test('a line that the page shows has to be printed, and names are read from it', () => {
  const lines = ['svc 0.2.0 listens on …', '…', 'shop-job-1796011981878  just now'];
  const printed = 'svc 0.3.1 listens on x\na\nb\nshop-job-1234567890123 3 s ago\n';
  assert.equal(
    matchShown(lines, printed),
    new Map([['shop-job-1796011981878', 'shop-job-1234567890123']]),
  );
  assert.is(matchShown(lines, `${printed}more\n`), null);
  assert.is(matchShown(lines, printed.replace('listens', 'waits')), null);
});

test.run();
