import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import { STDIN_NAME } from '../../src/authoring/overlay/readDraft.ts';
import { LINT_CODES } from '../../src/authoring/workflows/findings.ts';

/** Where every code is described. */
const RULES_FILE = 'docs/reference/lint.md';

/**
 * A path as SARIF wants it: a URI, relative to where the linter was run unless the path was
 * absolute.
 */
const uriOf = (file: string): string =>
  isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');

/**
 * Findings as a SARIF 2.1.0 log, which code hosts and editors read. Every rule of the linter is
 * described in it, found or not.
 */
export function lintSarif(found: readonly Diagnostic[], version: string) {
  const ids = Object.keys(LINT_CODES);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'svc workflow lint',
            version,
            rules: Object.entries(LINT_CODES).map(([id, meaning]) => ({
              id,
              shortDescription: { text: meaning },
              help: { text: `See ${RULES_FILE}, ${id}.` },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: found.map(({ file, line, column, code, severity, message, hint }) => ({
          ruleId: code,
          ruleIndex: ids.indexOf(code),
          level: severity,
          message: { text: hint === '' ? message : `${message} ${hint}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file === STDIN_NAME ? 'stdin' : uriOf(file) },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  };
}
