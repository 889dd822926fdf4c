import Type from 'typebox';
import {
  DEFAULT_PORTS,
  DEFAULT_SETUP_MINUTES,
  MAX_CACHES,
  MAX_CHECKOUT_PATH,
  MAX_COPIED_FILES,
  MAX_SCRIPT_CHARS,
  MAX_SUBMODULE_SOURCES,
  MOST_PORTS_PER_CHECKOUT,
  MOST_SETUP_MINUTES,
  TEARDOWN_MS,
} from '../../../base/settings/checkouts.ts';
import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import { folder, section, word } from './fieldSchemas.ts';

const Script = (description: string) => Type.String({ maxLength: MAX_SCRIPT_CHARS, description });

const Rule = Type.Object(
  {
    repo: Type.String({ ...word, description: 'Slug of the repository, as jobs name it.' }),
    setup: Type.Optional(
      Script(
        'Script for /bin/sh -e that runs in each new checkout before its first agent, and again when its text changes. Counts before `setup` in .svc/checkout.md; empty = none.',
      ),
    ),
    setupMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_SETUP_MINUTES,
        description: `Longest time for the setup, in minutes. Default ${DEFAULT_SETUP_MINUTES}.`,
      }),
    ),
    teardown: Type.Optional(
      Script(
        `Script for /bin/sh -e that runs before cleanup removes a checkout, for at most ${TEARDOWN_MS / 1000} seconds. Counts before \`teardown\` in .svc/checkout.md; empty = none.`,
      ),
    ),
    copyFiles: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHECKOUT_PATH }), {
        maxItems: MAX_COPIED_FILES,
        description:
          'Files of copyFrom, such as .env.local, that agents of the repository get: each checkout has a copy, which git ignores. Listing a file lets agents read it.',
      }),
    ),
    copyFrom: Type.Optional(
      Type.String({
        ...folder,
        description:
          'Folder that copyFiles are in, such as your own clone. Default: the folder of the repository in forges.local.repos.',
      }),
    ),
    submodules: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHECKOUT_PATH }), {
        maxItems: MAX_SUBMODULE_SOURCES,
        description:
          'Repositories that new checkouts get as submodules, where .gitmodules names them: slugs of the same forge, fetched with its login, and public https:// addresses. Listing one lets agents read it.',
      }),
    ),
    lfs: Type.Optional(
      Type.Boolean({
        description:
          'Whether new checkouts get the contents of files of Git LFS, by the program git-lfs. Default false.',
      }),
    ),
    caches: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHECKOUT_PATH }), {
        maxItems: MAX_CACHES,
        description:
          "Folders below the agents' HOME, such as .npm, that all checkouts of the repository share. Counts before `caches` in .svc/checkout.md.",
      }),
    ),
  },
  closed,
);

const Port = (value: number, description: string) =>
  Type.Integer({ minimum: 1024, maximum: 65_535, default: value, description });

export const Checkout = Type.Object(
  {
    ports: Type.Object(
      {
        first: Port(DEFAULT_PORTS.first, 'First port that checkouts may be given.'),
        last: Port(DEFAULT_PORTS.last, 'Last one.'),
        perCheckout: Type.Integer({
          minimum: 0,
          maximum: MOST_PORTS_PER_CHECKOUT,
          default: DEFAULT_PORTS.perCheckout,
          description:
            'Number of ports of each checkout, from SVC_PORT on in the environment of its programs; 0 = none.',
        }),
      },
      { ...section, description: 'Where the ranges of ports of checkouts are taken from.' },
    ),
    repositories: Type.Array(Rule, {
      maxItems: 200,
      default: [],
      description: 'How checkouts are made ready, by repository.',
    }),
  },
  {
    ...section,
    title: 'Checkouts',
    description: 'How the checkouts of jobs are made ready for agents.',
  },
);
