import { basename } from 'node:path';
import { CHOSEN_NAME } from '../config/sections/fieldSchemas.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { SetUpChoice, SetUpValue } from '../../contract/schema/runner/setUpSteps.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';
import { findSetUpChoice, collectGivenValues, toSetUpValue } from './givenValues.ts';
import { formatProgramLine } from './programs.ts';
import type { Answer, SetUpFacts, Step } from './step.ts';

/** The forge of repositories on this disk, which has no account. */
export const LOCAL = 'local';

/** Command lines of forges, by the plugin whose token they have. */
const TOKEN_PROGRAMS: Readonly<Record<string, string>> = { github: 'gh', gitlab: 'glab' };

/** What people are asked of a forge, and what else they may give. */
const ASKED = ['token', 'workspace', 'username'];
const ALSO = ['baseUrl'];

/** How the description of a setting begins that only older configurations still have. */
const UNUSED = 'Not used';

const listForgeManifests = ({ manifests }: SetUpFacts): PluginManifest[] =>
  manifests.filter(({ kind, id }) => kind === 'scm' && id !== LOCAL);

const createTextValue = (name: string, says: string, required: boolean): SetUpValue => ({
  name,
  says,
  secret: false,
  required,
  proposed: null,
  env: null,
  saved: false,
  asked: required,
});

const createLocalChoice = ({ config }: SetUpFacts): SetUpChoice => ({
  id: LOCAL,
  current: Object.keys(config.forges.local.repos).length > 0,
  title: 'A git repository on this disk, with pull requests in svc',
  found: null,
  install: null,
  values: [
    createTextValue('folder', 'Folder of the git repository', true),
    createTextValue('name', 'Name of the repository in svc; default: that of the folder', false),
  ],
  saves: ['forges.local.repos.<name>'],
  tokenFrom: null,
  loginIn: null,
});

function createForgeChoice(
  facts: SetUpFacts,
  { id, title, settings = {} }: PluginManifest,
): SetUpChoice {
  const storedConfig = facts.config.plugins.installed[id]?.config ?? {};
  const program = facts.programs.find(({ name }) => name === TOKEN_PROGRAMS[id]);
  const values = [...ASKED, ...ALSO].flatMap((name): SetUpValue[] => {
    const setting = settings[name];
    if (setting === undefined || setting.description.startsWith(UNUSED)) return [];
    const isNew = Object.keys(storedConfig).length === 0;
    const value = toSetUpValue(facts, id, [name, setting], isNew && ASKED.includes(name));
    // GitHub takes an app instead: only a configuration that has nothing needs a token.
    return [{ ...value, required: name === 'token' ? isNew : value.required && isNew }];
  });
  const variable = values.find(({ name, env }) => name === 'token' && env !== null)?.env;
  const tokenSource = variable
    ? `a token in ${variable}`
    : program?.login
      ? formatProgramLine(program)
      : null;
  const own = values.map(({ name }) => `plugins.installed.${id}.config.${name}`);
  return {
    id,
    title,
    current: facts.config.plugins.installed[id] !== undefined,
    found: tokenSource,
    install: null,
    values,
    saves: [...own, `plugins.installed.${id}.config.selfIsPerson`],
    tokenFrom: program?.name ?? null,
    loginIn: null,
  };
}

const listForgeChoices = (facts: SetUpFacts): SetUpChoice[] => [
  createLocalChoice(facts),
  ...listForgeManifests(facts).map((manifest) => createForgeChoice(facts, manifest)),
];

/** Longest name that is made from that of a folder; a number may follow. */
const LONGEST_NAME = 90;

/** A name made from that of the folder, which may hold what a name may not; the next free one. */
function findFreeSlug(folder: string, isTaken: (name: string) => boolean): string {
  const plain = basename(folder)
    .replace(/\.git$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, LONGEST_NAME);
  const name = plain === '' ? 'repository' : plain;
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? name : `${name}-${count}`;
    if (!isTaken(next)) return next;
  }
}

/** `folder` is absolute and holds a repository; the caller has looked. */
function collectLocalValues({ config }: SetUpFacts, { values }: Answer): ChosenValue[] {
  const { folder = '', name = '' } = values;
  const repos = config.forges.local.repos;
  const knownRepository = Object.entries(repos).find(
    ([, repo]) => (typeof repo === 'string' ? repo : repo.path) === folder,
  );
  if (knownRepository && (name === '' || name === knownRepository[0])) return [];
  const isTaken = (slug: string): boolean => Object.hasOwn(repos, slug);
  const slug = name === '' ? findFreeSlug(folder, isTaken) : name;
  if (!new RegExp(CHOSEN_NAME).test(slug))
    throw new SvcError(
      'bad-argument',
      `${JSON.stringify(slug)} cannot be the name of a repository: letters, digits, ".", "_" and "-", beginning with a letter or digit. Give another name.`,
    );
  if (isTaken(slug))
    throw new SvcError(
      'bad-argument',
      `The name ${slug} is already used by another repository. Choose another name.`,
    );
  return [toChosenValue(['forges', 'local', 'repos', slug], folder)];
}

function collectForgeValues(facts: SetUpFacts, answer: Answer): ChosenValue[] {
  const choice = findSetUpChoice(listForgeChoices(facts), answer);
  if (choice.id === LOCAL) {
    if (!answer.values.folder?.trim())
      throw new SvcError('bad-argument', 'local needs folder: the folder of a git repository.');
    return collectLocalValues(facts, answer);
  }
  const place = ['plugins', 'installed', choice.id];
  const disabled = facts.config.plugins.installed[choice.id]?.enabled === false;
  return [
    ...(disabled ? [toChosenValue([...place, 'enabled'], true)] : []),
    ...collectGivenValues(choice, answer.values, facts, (name) => [...place, 'config', name]),
  ];
}

export const forgeStep: Step = {
  name: 'scm',
  title: 'Forge',
  describeSaved(facts) {
    const repos = Object.keys(facts.config.forges.local.repos);
    const hosts = listForgeManifests(facts).filter(({ id }) => facts.config.plugins.installed[id]);
    return [
      ...hosts.map(({ id }) => `${id} is configured.`),
      ...(repos.length === 0 ? [] : [`Repositories on this disk: ${repos.join(', ')}.`]),
    ];
  },
  found: (facts) => [
    ...facts.programs
      .filter(({ name }) => Object.values(TOKEN_PROGRAMS).includes(name))
      .map(formatProgramLine),
    ...listForgeChoices(facts).flatMap(({ values: own }) =>
      own.flatMap(({ name, env }) => (name === 'token' && env !== null ? `a token in ${env}` : [])),
    ),
  ],
  choices: listForgeChoices,
  values: collectForgeValues,
};
