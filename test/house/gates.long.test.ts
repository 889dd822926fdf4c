import { resolve } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';

const test = suite('house: safety gates are required by type');

/** Members that a part of the runner must be given: file, the text of the line, how often. */
const GATES: Readonly<Record<string, readonly string[]>> = {
  'src/host/runner/runner.ts': [
    'guardrails: core.guardrails',
    'sandboxes: core.sandboxes',
    'budgets: core.budgets',
    'enforcement: core.enforcement',
    'estimates: core.estimates',
    'runAdvisor: core.runAdvisor',
    'disk: core.disk',
    'isShut: () => core.disk.low !== null',
    'screen: core.screen',
  ],
  'src/host/runner/ports.ts': [
    'backlog: core.backlog',
    'guardrails: core.guardrails',
    'sandboxes: core.sandboxes',
    'budgets: core.budgets',
    'disk: core.disk',
    'screen: core.screen',
    'runAdvisor: core.runAdvisor',
    'enforcement: core.enforcement',
    'secretStream: core.secretStream',
  ],
  'src/sessions/subRuns/campaigns.ts': [
    'guardrails: deps.guardrails',
    'enforcement: deps.enforcement',
  ],
  'src/main.ts': [
    'trust',
    'screen: secrets.screen',
    'visible: revealHiddenText',
    'freeSpace: measureFreeSpace',
    'secretStream: () => secrets.stream()',
    'backlog: team.reach.backlog',
    'awaySince: reach.getAwaySince',
    'awaySince: team.reach.getAwaySince',
  ],
  'src/contract/routes/loginRoutes.ts': ["access: 'write'"],
  'src/contract/routes/route.ts': ['maxBytes: MAX_DELIVERY_BYTES', 'required: false'],
  'src/host/start/serveRunner.ts': [
    'screen: start.secrets.screen',
    'brokenRows: runner',
    'awaySince: team.reach.getAwaySince',
  ],
  'src/host/start/connections.ts': ['mayAct'],
  'src/host/start/openProviders.ts': ['mayAct'],
  'src/plugins/builtInForges.ts': ['mayAct'],
  'src/plugins/installedPlugin.ts': ['mayAct: this.#options.mayAct'],
  'src/plugins/installedForge/openInstalledForge.ts': ['mayAct: options.mayAct'],
  'src/plugins/installedForge/forge.ts': ['mayAct: options.mayAct'],
  'src/providers/github/plugin.ts': ['mayAct'],
  'src/providers/github/forge/forge.ts': ['mayAct'],
  'src/providers/gitlab/plugin.ts': ['mayAct'],
  'src/providers/gitlab/forge/forge.ts': ['mayAct'],
  'src/providers/bitbucket/plugin.ts': ['mayAct'],
  'src/providers/bitbucket/forge/forge.ts': ['mayAct'],
};

const config = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  process.cwd(),
);
/** A copy of a file beside it, without one member that it gives. */
interface Copy {
  file: string;
  member: string;
  /** Which of the places that give the member, from 1. */
  place: number;
  path: string;
  text: string;
}

/** Where the text gives an object literal the member on a line of its own. */
const listPlaces = (text: string, member: string): number[] => {
  const line = new RegExp(`^ +${member.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')},\\n`, 'gm');
  return [...text.matchAll(line)].map(({ index }) => index);
};

const copies: Copy[] = Object.entries(GATES).flatMap(([file, members]) => {
  const text = read(file);
  return members.flatMap((member) =>
    listPlaces(text, member).map((start, n) => ({
      file,
      member,
      place: n + 1,
      path: resolve(`${file.replace('.ts', '')}.without.${members.indexOf(member)}.${n}.ts`),
      text: text.slice(0, start) + text.slice(text.indexOf('\n', start) + 1),
    })),
  );
});

const texts = new Map(copies.map(({ path, text }) => [path, text]));
const host = ts.createCompilerHost(config.options);
const { getSourceFile, fileExists } = host;
host.fileExists = (file) => texts.has(file) || fileExists(file);
host.getSourceFile = (file, options) => {
  const text = texts.get(file);
  return text === undefined
    ? getSourceFile(file, options)
    : ts.createSourceFile(file, text, options);
};
const originals = Object.keys(GATES).map((file) => resolve(file));
const program = ts.createProgram([...originals, ...texts.keys()], config.options, host);

const countErrors = (path: string): number =>
  program.getSemanticDiagnostics(program.getSourceFile(path)).length;

for (const [file, members] of Object.entries(GATES)) {
  test(`${file} as it is has no type error`, () => {
    assert.is(countErrors(resolve(file)), 0);
  });

  for (const member of members)
    test(`${file} gives ${member}`, () => {
      assert.ok(copies.some((copy) => copy.file === file && copy.member === member));
    });
}

for (const { file, member, place, path } of copies)
  test(`${file} without ${member} (${place}) is a type error`, () => {
    assert.ok(countErrors(path) > 0);
  });

test.run();
