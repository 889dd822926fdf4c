import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type, { type TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import RunCommand from '../../../cli/commands/run.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const texts = (value: TSchema) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }), value);

/** What GitHub's published schema of actions asks of a composite one. */
const Action = Type.Object(
  {
    name: text,
    description: text,
    author: Type.Optional(text),
    branding: Type.Optional(Type.Object({ icon: text, color: text }, closed)),
    inputs: texts(
      Type.Object({ description: text, required: Type.Boolean(), default: Type.String() }, closed),
    ),
    outputs: texts(Type.Object({ description: text, value: text }, closed)),
    runs: Type.Object(
      {
        using: Type.Literal('composite'),
        steps: Type.Array(
          Type.Union([
            Type.Object(
              {
                name: text,
                id: Type.Optional(text),
                if: Type.Optional(text),
                shell: text,
                env: Type.Optional(texts(Type.String())),
                run: text,
              },
              closed,
            ),
            Type.Object(
              {
                name: text,
                id: Type.Optional(text),
                if: Type.Optional(text),
                // A tag can be moved; the commit cannot.
                uses: Type.String({ pattern: '^[a-z-]+/[a-z-]+(/[a-z-]+)*@[0-9a-f]{40}$' }),
                with: Type.Optional(
                  texts(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
                ),
              },
              closed,
            ),
          ]),
        ),
      },
      closed,
    ),
  },
  closed,
);

/** What GitLab's published schema asks of the header of a component, and of a job. */
const Header = Type.Object(
  {
    spec: Type.Object(
      { inputs: texts(Type.Object({ description: text, default: Type.String() }, closed)) },
      closed,
    ),
  },
  closed,
);
const Job = Type.Object(
  {
    stage: text,
    image: text,
    variables: texts(Type.String()),
    resource_group: text,
    artifacts: Type.Object(
      {
        paths: Type.Array(text),
        when: Type.Enum(['on_success', 'on_failure', 'always']),
        expire_in: text,
        access: Type.Enum(['all', 'developer', 'none']),
      },
      closed,
    ),
    script: Type.Array(text),
    allow_failure: Type.Object({ exit_codes: Type.Array(Type.Integer()) }, closed),
  },
  closed,
);

const action = () => parse(read('action.yml'));
const gitlab = () => parseAllDocuments(read('templates/svc-run.yml')).map((one) => one.toJS());
const actionScript = (): string =>
  action().runs.steps.find(({ id }: { id?: string }) => id === 'run').run;
const gitlabScript = (): string => gitlab()[1]['svc-run'].script[2];

const test = suite<{ dir: string }>('svc run: pipelines');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-pipelines-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

test('the action and the template have the form that GitHub and GitLab publish', () => {
  const [header, jobs] = gitlab();
  assert.equal([...Errors(Action, action())], []);
  assert.equal([...Errors(Header, header)], []);
  assert.equal([...Errors(Type.Object({ 'svc-run': Job }, closed), jobs)], []);
});

test('every input is used, and every one that is used exists', () => {
  const listUses = (source: string, form: RegExp) =>
    [...new Set([...source.matchAll(form)].map(([, name = '']) => name))].sort();
  const [header] = gitlab();
  assert.equal(
    listUses(read('action.yml'), /\binputs\.([a-z-]+)/g),
    Object.keys(action().inputs).sort(),
  );
  assert.equal(
    listUses(read('templates/svc-run.yml'), /\$\[\[ inputs\.([a-z-]+) \]\]/g),
    Object.keys(header.spec.inputs).sort(),
  );
});

test('no text of an event or an input is put into a script', () => {
  const scripts = action().runs.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  for (const script of [...scripts, ...gitlab()[1]['svc-run'].script]) {
    assert.not.match(script, '${{');
    assert.not.match(script, '$[[');
  }
});

test('both install the version that they belong to', () => {
  const { name, version } = JSON.parse(read('package.json'));
  assert.is(action().inputs.package.default, `${name}@${version}`);
  assert.is(gitlab()[0].spec.inputs.package.default, `${name}@${version}`);
});

/** Runs a script with an svc that writes its arguments down and ends with `code`. */
function createArguments(
  dir: string,
  { shell, script, env, code = 0 }: { shell: string; script: string; env: object; code?: number },
): { argv: string[]; status: number | null } {
  const bin = join(dir, 'bin');
  const log = join(dir, 'argv');
  mkdirSync(bin, { recursive: true });
  rmSync(log, { force: true });
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${log}\nexit ${code}\n`);
  chmodSync(join(bin, 'svc'), 0o755);
  const { status } = spawnSync(shell, ['-e', '-c', script], {
    cwd: dir,
    env: { PATH: `${bin}:${process.env.PATH}`, ...env },
  });
  const argv = spawnSync('cat', [log], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  return { argv, status };
}

const ASKED = {
  DESCRIPTION: 'Fix "it"; $(rm -rf x)',
  WORKFLOW: 'job',
  APPROVE: 'planning coding',
  REVIEWERS: 'ana',
  AGENT: 'builtin',
  MODEL: 'm',
  CONFIG: './svc.json',
  TIMEOUT: '1h',
};
const forGitlab = (dir: string, inputs: object) =>
  Object.fromEntries([
    ['SVC_KEPT', join(dir, 'kept')],
    ...Object.entries(inputs).map(([name, value]) => [`SVC_RUN_${name}`, value]),
  ]);
const forGithub = (dir: string, inputs: object, act: 'begin' | 'continue' = 'begin') => ({
  KEPT: join(dir, 'kept'),
  ACT: act,
  ...inputs,
});

function checkFlags(argv: readonly string[]): void {
  const flags = argv.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  assert.equal(
    flags.filter((flag) => !Object.hasOwn(RunCommand.flags, flag)),
    [],
  );
}

test('a new job gets every input as one word, with flags that the command has', ({ dir }) => {
  for (const { argv } of [
    createArguments(dir, { shell: 'bash', script: actionScript(), env: forGithub(dir, ASKED) }),
    createArguments(dir, { shell: 'sh', script: gitlabScript(), env: forGitlab(dir, ASKED) }),
  ]) {
    checkFlags(argv);
    assert.is(argv[argv.indexOf('--description') + 1], ASKED.DESCRIPTION);
    assert.is(argv.filter((word) => word === '--approve').length, 2);
    assert.is(argv[argv.indexOf('--keep') + 1], join(dir, 'kept'));
    assert.not(argv.includes('--resume'));
  }
});

test('phases to approve are words, and no names of files', ({ dir }) => {
  writeFileSync(join(dir, 'planning'), '');
  const inputs = { ...ASKED, APPROVE: '* plan?ing' };
  for (const { argv } of [
    createArguments(dir, { shell: 'bash', script: actionScript(), env: forGithub(dir, inputs) }),
    createArguments(dir, { shell: 'sh', script: gitlabScript(), env: forGitlab(dir, inputs) }),
  ])
    assert.equal(
      argv.filter((_, at) => argv[at - 1] === '--approve'),
      ['*', 'plan?ing'],
    );
});

test('a kept job is continued', ({ dir }) => {
  const of = (env: object) => createArguments(dir, { shell: 'bash', script: actionScript(), env });
  mkdirSync(join(dir, 'kept'));
  writeFileSync(join(dir, 'kept', 'manifest.json'), '{\n  "ended": null\n}');
  const fromGitlab = createArguments(dir, {
    shell: 'sh',
    script: gitlabScript(),
    env: forGitlab(dir, { ...ASKED, DESCRIPTION: '' }),
  });
  for (const { argv } of [of(forGithub(dir, ASKED, 'continue')), fromGitlab]) {
    checkFlags(argv);
    assert.is(argv[argv.indexOf('--resume') + 1], join(dir, 'kept'));
    assert.not(argv.includes('--description'));
  }
});

test('in the action, waiting is a success once the job is kept; every other code stays', ({
  dir,
}) => {
  const of = (code: number) =>
    createArguments(dir, {
      shell: 'bash',
      script: actionScript(),
      env: forGithub(dir, ASKED),
      code,
    }).status;
  assert.is(of(7), 7);
  assert.is(of(6), 6);
  mkdirSync(join(dir, 'kept'));
  writeFileSync(join(dir, 'kept', 'manifest.json'), '{}');
  assert.is(of(7), 0);
  assert.is(of(6), 6);
});

test.run();
