import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { LINT_CODES, type LintCode } from '../../src/workflows/definition/findings.ts';
import { LINT_FIXES } from '../../src/workflows/definition/lintFixes.ts';
import { type LintExample, lintExamples } from './lintExamples.ts';
import { code, codeBlock, page, plain, table } from './markdown.ts';

const INTRODUCTION = `\`svc workflow lint\` checks workflows, agents and campaigns without a runner.
\`POST /jobs\` refuses a workflow that has errors. An error means that the workflow cannot run. A
warning means that the job would probably do something else than intended. Codes are stable, so
that tools can filter by them. Lines and columns are counted from 1. In the examples the finding is
in the last line.`;

const sentence = (text: string): string => `${capitalizeFirst(text)}.`;

/** Control characters as their pictures: the page is a text file. */
const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replace(/[\u0000-\u0008\u000b-\u001f]/g, (one) =>
    String.fromCodePoint(0x2400 + (one.codePointAt(0) ?? 0)),
  );

function formatExample({ excerpt, line, column, message, hint }: LintExample): string {
  const output = `${line}:${column} ${message}${hint === '' ? '' : `\n${hint}`}`;
  return `${codeBlock('yaml', visible(excerpt))}\n\n${codeBlock('text', output)}`;
}

export async function lintPage(): Promise<string> {
  const examples = await lintExamples();
  const codes = Object.keys(LINT_CODES) as LintCode[];
  return page('Lint codes', 'src/workflows/definition/findings.ts and the corpus of its tests', [
    INTRODUCTION,
    table(
      ['Code', 'Severity', 'Meaning'],
      codes.map((name) => [
        `[${code(name)}](#${name})`,
        LINT_FIXES[name].severity,
        plain(sentence(LINT_CODES[name])),
      ]),
    ),
    ...codes.flatMap((name) => {
      const example = examples.get(name);
      const { severity, fix } = LINT_FIXES[name];
      return [
        `## ${name}`,
        `*${sentence(severity)}* ${plain(sentence(LINT_CODES[name]))} ${plain(fix)}`,
        example === undefined ? '' : formatExample(example),
      ];
    }),
  ]);
}
