import Type from 'typebox';
import {
  explainBadRelativePath,
  MAX_CACHES,
  MAX_CHECKOUT_PATH,
  MAX_SCRIPT_CHARS,
  MOST_SETUP_MINUTES,
} from '../../base/settings/checkouts.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { closed } from '../../contract/schema/kit/schemaKit.ts';
import { createFindings, sortFindings } from './findings.ts';
import { createShapeCheck } from './createShapeCheck.ts';
import { parseFrontMatter } from './parseFrontMatter.ts';

/** Its path in the layer of a repository: `.svc/checkout.md` there. */
export const CHECKOUT_FILE = 'checkout.md';

const Script = Type.String({
  minLength: 1,
  maxLength: MAX_SCRIPT_CHARS,
  description: `a script of at most ${MAX_SCRIPT_CHARS} characters`,
});

const CheckoutFrontMatter = Type.Object(
  {
    setup: Type.Optional(Script),
    setupMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_SETUP_MINUTES,
        description: `a number of minutes from 1 to ${MOST_SETUP_MINUTES}`,
      }),
    ),
    teardown: Type.Optional(Script),
    caches: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHECKOUT_PATH }), {
        maxItems: MAX_CACHES,
        description: `a list of at most ${MAX_CACHES} folders`,
      }),
    ),
  },
  closed,
);

/** What a repository says about its checkouts. */
export type CheckoutFile = Partial<Type.Static<typeof CheckoutFrontMatter>>;

const checkShape = createShapeCheck(CheckoutFrontMatter);

/** A repository must not choose which files of a person, or which other repositories, an agent gets. */
const PERSON_KEYS = ['copyFiles', 'copyFrom', 'submodules', 'lfs'];

export interface ParsedCheckoutFile {
  /** Null if there is a finding: nothing of such a file is used. */
  read: CheckoutFile | null;
  diagnostics: Diagnostic[];
}

/** Reads and lints the `checkout.md` of a repository. Never throws. */
export function parseCheckoutFile(source: string | Uint8Array, file: string): ParsedCheckoutFile {
  const { data, readable, positions, diagnostics } = parseFrontMatter(source, file);
  const findings = createFindings(file);
  findings.list.push(...diagnostics);
  if (!readable && !findings.hasErrors())
    findings.error(
      'empty-front-matter',
      { line: 1, column: 1 },
      'The file has no front matter.',
      'Put setup, teardown or caches between two lines of ---.',
    );
  const personal = PERSON_KEYS.filter((key) => Object.hasOwn(data, key));
  for (const key of personal)
    findings.error(
      'unknown-key',
      positions.key([key]),
      `${key} belongs in a person's own configuration: a repository cannot ask for files of a person, or for other repositories.`,
      'Remove it here, and set it in checkout.repositories of config.json.',
    );
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !personal.includes(key)));
  const read = readable ? checkShape(rest, [], positions, findings) : null;
  for (const [index, path] of (read?.caches ?? []).entries()) {
    const why = explainBadRelativePath(path);
    if (why !== null)
      findings.error(
        'wrong-type',
        positions.value(['caches', index]),
        `The folder "${path}" ${why}.`,
        "Write a folder below the agents' HOME, such as .npm.",
      );
  }
  return {
    read: findings.hasErrors() ? null : read,
    diagnostics: sortFindings(findings.list),
  };
}

/** The lines of its scripts, for a person who decides whether they may run. */
export const listCheckoutScripts = (text: string, file: string): string[] => {
  const { setup, teardown } = parseFrontMatter(text, file).data;
  return Object.entries({ setup, teardown }).flatMap(([name, script]) =>
    typeof script === 'string'
      ? script
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => `${name}: ${line}`)
      : [],
  );
};
