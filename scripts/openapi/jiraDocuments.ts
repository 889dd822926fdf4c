import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { adfToMarkdown } from '../../src/providers/jira/adf/adfToMarkdown.ts';
import { markdownToAdf } from '../../src/providers/jira/adf/markdownToAdf.ts';
import {
  documents,
  duplicateMarks,
  markdowns,
  textsIn,
} from '../../test/support/forges/adfDocuments.ts';
import type { Exchange } from '../../test/support/forges/exchanges.ts';

const TEXTS = 20_000;
const DOCUMENTS = 2_000;
const SEED = 18;
const MOST_PRINTED = 5;

type Validate = { (value: unknown): boolean; errors?: readonly { message?: string }[] | null };

/** Atlassian's schema of documents, compiled. */
function validator(folder: string): Validate {
  const modules = join(folder, 'node_modules');
  const file = join(modules, '@atlaskit', 'adf-schema', 'dist', 'json-schema', 'v1', 'full.json');
  // The schema names an old draft, of which nothing is used that a newer one has not.
  const { $schema: _draft, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const loaded = createRequire(join(folder, 'package.json'))('ajv');
  const Ajv = (loaded.default ?? loaded) as new (
    options: object,
  ) => {
    compile(schema: object): Validate;
  };
  return new Ajv({ strict: false }).compile(schema);
}

/** Bodies of comments that were sent, and both directions by chance. */
export function documentFaults(folder: string, exchanges: readonly Exchange[]): string[] {
  const isDocument = validator(folder);
  const faults: string[] = [];
  const say = (what: string, value: unknown) => {
    const why = isDocument.errors?.at(-1)?.message ?? '';
    if (faults.length < MOST_PRINTED)
      faults.push(`${what} ${why}: ${JSON.stringify(value).slice(0, 300)}`);
  };
  for (const { method, path, body } of exchanges) {
    if (method !== 'POST' || !path.endsWith('/comment')) continue;
    const { body: document } = JSON.parse(body) as { body?: unknown };
    if (!isDocument(document)) say('the comment is no document', document);
  }
  for (const markdown of markdowns(SEED, TEXTS)) {
    const document = markdownToAdf(markdown);
    if (!isDocument(document)) say('the text is made into no document', markdown);
    if (duplicateMarks(document) > 0) say('a mark is set twice', markdown);
  }
  for (const document of documents(SEED, DOCUMENTS, false)) {
    if (!isDocument(document)) say('the generator makes no document', document);
    const markdown = adfToMarkdown(document);
    const lost = textsIn(document).filter((words) => !markdown.includes(words));
    if (lost.length > 0) say(`${lost.join()} is lost of the document`, document);
  }
  console.log(`documents: ${TEXTS} texts and ${DOCUMENTS} documents by chance, seed ${SEED}`);
  return faults;
}
