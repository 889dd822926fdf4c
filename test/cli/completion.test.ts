import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CompletionCommand from '../../cli/commands/completion.ts';
import { complete } from '../../cli/completion/complete.ts';
import { selectCompletionScript } from '../../cli/completion/completionScripts.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeJob, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('completion');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-completion-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const ROUTES: Record<string, Reply> = {
  'GET /jobs': [
    200,
    [
      fakeJob(),
      fakeJob({ id: 'docs-job-2', description: 'two\u001B[2J\nlines' }),
      fakeJob({ id: 'a b' }),
    ],
  ],
  'GET /workflows': [
    200,
    {
      workflows: [
        {
          label: 'Job',
          workflowPath: 'workflows/job.md',
          phases: [
            { name: 'planning', status: 'planning' },
            { name: 'coding', status: 'coding' },
          ],
        },
      ],
    },
  ],
  'GET /forges/local/repos': [200, [{ slug: 'shop', path: '/src/shop', defaultBranch: 'main' }]],
  'GET /jobs/shop-job-1/sub-runs': [200, { subRuns: [{ name: 'web', status: 'failed' }] }],
};

/** The words that are offered, without what they are. */
const splitWords = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));

const CASES: [line: string[], offered: string[]][] = [
  [['sta'], ['start', 'status']],
  [['plugi'], ['plugin', 'plugins']],
  [['pr', 'm'], ['merge']],
  [['help', 'pr', 'sh'], ['show']],
  [
    ['status', ''],
    ['shop-job-1', 'docs-job-2'],
  ],
  [['status', 'docs'], ['docs-job-2']],
  [['cancel', '-j', 'sh'], ['shop-job-1']],
  [
    ['rerun', 'shop-job-1', ''],
    ['planning', 'coding'],
  ],
  [['rerun', '--phase', 'c'], ['coding']],
  [['rerun', '--phase', 'coding', 's'], ['shop-job-1']],
  [['campaign', 'skip', 'shop-job-1', ''], ['web']],
  [['campaign', 'skip', '--job', 'shop-job-1', '--child', ''], ['web']],
  [
    ['job', '--approve', ''],
    ['all', 'planning', 'coding'],
  ],
  [['job', '--workflow', ''], ['workflows/job.md']],
  [['job', '--repo', 'sh'], ['shop']],
  [['pr', 'list', ''], ['shop']],
  [['jobs', '--status', 'cod'], ['coding']],
  [['resume', '--all', 'p'], ['paused']],
  [['plugin', 'models', 'cl'], ['claude']],
  [['logs', '--no-f'], ['--no-follow']],
  [['jobs', '--quiet', '--qu'], []],
  [['message', 'shop-job-1', ''], []],
  [['workflow', 'lint', ''], [':files']],
];

test('words are completed by the command before them, from the manifest and from the runner (CLI-5)', async ({
  home,
}) => {
  const runner = await fakeRunner(ROUTES);
  try {
    for (const [line, offered] of CASES) {
      const text = await complete(line, { SVC_HOME: home, SVC_URL: runner.url }, home);
      assert.equal(splitWords(text), offered, line.join(' '));
    }
    const described = await complete(['status', 'docs'], { SVC_URL: runner.url }, home);
    assert.is(described, 'docs-job-2\tcoding:cart: two lines\n');
  } finally {
    await runner.close();
  }
});

test('without a runner commands, flags and plugins are completed, and everything else silently not (CLI-5)', async ({
  home,
}) => {
  const env = { SVC_HOME: home };
  await mkdir(join(home, 'plugins', 'greeter'), { recursive: true });
  assert.equal(splitWords(await complete(['jo'], env, home)), ['job', 'jobs']);
  assert.equal(splitWords(await complete(['plugin', 'test', 'g'], env, home)), [
    'github',
    'gitlab',
    'github-issues',
    'greeter',
  ]);
  assert.is(await complete(['status', ''], env, home), '');
  assert.is(await complete(['nope', ''], env, home), '');
});

test('commands of packages are completed as well (CLI-5)', async ({ home }) => {
  const dir = join(home, 'commands', 'node_modules', 'hello');
  await mkdir(dir, { recursive: true });
  const commands = { 'hello:world': { id: 'hello:world', aliases: [], args: {}, flags: {} } };
  await writeFile(join(dir, 'oclif.manifest.json'), JSON.stringify({ commands }));
  const plugins = [{ name: 'hello', type: 'user' }];
  await writeFile(join(home, 'commands', 'package.json'), JSON.stringify({ oclif: { plugins } }));
  const env = { SVC_HOME: home };
  assert.equal(splitWords(await complete(['hel'], env, home)), ['hello', 'help']);
  assert.equal(splitWords(await complete(['hello', ''], env, home)), ['world']);
});

test('svc completion prints a script for bash, zsh and fish; that of bash fills its replies (CLI-5)', async ({
  home,
}) => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const { code, out } = await new CommandLine({ SVC_HOME: home }).run(CompletionCommand, [shell]);
    assert.equal(code, 0);
    assert.equal(out, selectCompletionScript(shell));
  }
  const script = `svc() { printf '%s\\t%s\\n' "$3-$#" about; }
${selectCompletionScript('bash')}
COMP_WORDS=(svc status sh); COMP_CWORD=2; _svc_complete; echo "\${COMPREPLY[*]}"`;
  assert.is(execFileSync('bash', ['-c', script], { encoding: 'utf8' }), 'sh-3\n');
});

test.run();
