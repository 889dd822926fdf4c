import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story, type Story } from '../support/story.ts';

const test = suite('stories: a state that is not all there');

const CHECKPOINT = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/planner.md, status: planning, interactive_checkpoint: true }
`;
const PLANS = `tool('add_insight', { category: 'story', text: 'planned' });`;
/** What no person put there, and a start may write before it looks at the state. */
const NOT_STATE = /^(cache|programs|logs)\//;

function readFolderFiles(home: string, folder = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(home, folder), { withFileTypes: true }).map((entry) => {
      const path = `${folder}${entry.name}`;
      if (NOT_STATE.test(`${path}/`)) return {};
      if (entry.isDirectory()) return readFolderFiles(home, `${path}/`);
      if (!entry.isFile()) return {};
      const hash = createHash('sha256')
        .update(readFileSync(join(home, path)))
        .digest('hex');
      return { [path]: hash };
    }),
  );
}

const BIN = join(import.meta.dirname, '../../cli/bin/run.js');

const svc = (it: Story, ...argv: string[]) =>
  spawnSync(process.execPath, [BIN, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, SVC_HOME: it.home },
    timeout: 120_000,
  });

const DAMAGES: Record<string, { does(file: string): void; says: RegExp }> = {
  'state.db gone': { does: (file) => rmSync(file), says: /state\.db is missing or empty/ },
  'state.db empty': { does: (file) => truncateSync(file), says: /state\.db is missing or empty/ },
  'the log gone': { does: (file) => rmSync(`${file}-wal`), says: /state\.db-wal, the log of/ },
  'the log cut': {
    does: (file) => truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length >> 1),
    says: /state\.db-wal, the log of .* is cut or damaged/,
  },
};

for (const [name, { does, says }] of Object.entries(DAMAGES))
  test(
    `killed, and ${name}: every command refuses or looks, no file changes, and put back nothing is lost`,
    story({ workflow: CHECKPOINT, programs: { planner: PLANS } }, async (it) => {
      const id = await it.job();
      await it.until(id, (job) => job.parked !== null);
      await it.runner.kill();
      const file = join(it.home, 'state.db');
      const whole = ['', '-wal', '-manifest'].map(
        (end) => [end, readFileSync(`${file}${end}`)] as const,
      );
      does(file);
      const before = readFolderFiles(it.home);
      const start = svc(it, 'start', '--no-open', '--port', '0');
      assert.is(start.status, 1, start.stderr);
      assert.match(start.stderr, says);
      assert.match(start.stderr, 'Nothing was changed');
      assert.match(svc(it, 'doctor').stdout, says);
      svc(it, 'runner', 'status');
      svc(it, 'uninstall', '--purge', '--dry-run');
      assert.is.not(svc(it, 'backup', join(it.home, '..', `${id}.tar`)).status, 0);
      const notes = readdirSync(join(it.home, 'audit.offline'));
      assert.equal(
        notes.map((note) => note.replace(/\d+/g, '#')),
        ['#-backup-#.json'],
        'the refused backup is noted for the audit log',
      );
      rmSync(join(it.home, 'audit.offline'), { recursive: true });
      assert.equal(readFolderFiles(it.home), before);
      for (const [end, content] of whole) writeFileSync(`${file}${end}`, content);
      await it.runner.start();
      const job = await it.until(id, ({ parked }) => parked !== null);
      assert.equal(
        job.insights.map(({ text }) => text),
        ['planned'],
      );
    }),
  );

test(
  'with --accept-loss a start continues with state.db alone, and keeps the other files',
  story({ workflow: CHECKPOINT, programs: { planner: PLANS } }, async (it) => {
    const id = await it.job();
    await it.until(id, (job) => job.parked !== null);
    await it.runner.stop();
    await it.runner.start();
    await it.runner.kill();
    const file = join(it.home, 'state.db');
    renameSync(`${file}-wal`, join(it.home, '..', 'log'));
    const accepting = spawn(
      process.execPath,
      [BIN, 'start', '--no-open', '--port', '0', '--accept-loss'],
      { env: { ...process.env, SVC_HOME: it.home }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(accepting.stdout, 'data');
    const exit = once(accepting, 'exit');
    accepting.kill('SIGTERM');
    assert.equal((await exit)[0], 0);
    await it.runner.start();
    assert.is((await it.until(id, ({ parked }) => parked !== null)).id, id);
    const names = readdirSync(it.home).map((one) => one.replace(/\.set-aside-.*/, '!'));
    assert.ok(names.includes('state.db!') && names.includes('state.db-manifest!'));
    assert.ok(existsSync(`${file}-manifest`));
  }),
);

test.run();
