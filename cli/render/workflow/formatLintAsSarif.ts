import { capitalizeFirst } from '../../../src/base/text/capitalizeFirst.ts';
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../../src/contract/schema/workflow/diagnostic.ts';
import { STDIN_NAME } from '../../../src/workflows/overlay/stdinName.ts';
import { LINT_CODES, type LintCode } from '../../../src/workflows/definition/findings.ts';
import { LINT_FIXES } from '../../../src/workflows/definition/lintFixes.ts';
import { locateInRepository } from './locateInRepository.ts';

/** What relative addresses are relative to: the root of the repository. */
const ROOT = '%SRCROOT%';
const FINGERPRINT_CHARS = 16;

const toSarifSentence = (text: string): string => `${capitalizeFirst(text)}.`;

const findWorstSeverity = (id: LintCode): Diagnostic['severity'] => {
  const { severity } = LINT_FIXES[id];
  return severity === 'error or warning' ? 'error' : severity;
};

/**
 * SARIF 2.1.0 wants an absolute address in `helpUri` (3.49.12), and `help` if the documentation is
 * not online. svc ships its documentation, at another path on each machine, so it is named here.
 */
const buildRuleHelp = (id: LintCode): { text: string; markdown: string } => {
  const text = `${LINT_FIXES[id].fix} See ${id} in docs/reference/lint.md of svc.`;
  return { text, markdown: text.replace(` ${id} in docs/`, ` \`${id}\` in docs/`) };
};

const encodePathForUri = (path: string): string =>
  path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');

function toSarifArtifact(file: string): {
  location: { uri: string; uriBaseId?: string };
  root: string | null;
} {
  if (file === STDIN_NAME) return { location: { uri: 'stdin' }, root: null };
  const { root, path } = locateInRepository(file);
  if (root !== null) return { location: { uri: encodePathForUri(path), uriBaseId: ROOT }, root };
  return {
    location: { uri: isAbsolute(path) ? pathToFileURL(path).href : encodePathForUri(path) },
    root,
  };
}

/**
 * Stays the same when the line of a finding moves, and differs for findings on equal lines: a code
 * host recognizes a finding by it from one run to the next.
 */
function fingerprintFindings(diagnostics: readonly Diagnostic[], findLine: LineOf): string[] {
  const occurrences = new Map<string, number>();
  return diagnostics.map((finding) => {
    const { file, code, message } = finding;
    const line = findLine(finding)?.trim() ?? message;
    const hash = createHash('sha256')
      .update(JSON.stringify([code, locateInRepository(file).path, line]))
      .digest('hex')
      .slice(0, FINGERPRINT_CHARS);
    const nth = (occurrences.get(hash) ?? 0) + 1;
    occurrences.set(hash, nth);
    return `${hash}:${nth}`;
  });
}

/** The line that a finding is about; undefined = its text is not known. */
export type LineOf = (finding: Diagnostic) => string | undefined;

export interface SarifOptions {
  version: string;
  findLine?: LineOf;
}

/** Findings as a SARIF 2.1.0 log. Every rule of the linter is described in it, found or not. */
export function formatLintAsSarif(
  diagnostics: readonly Diagnostic[],
  { version, findLine = () => undefined }: SarifOptions,
) {
  const ids = Object.keys(LINT_CODES) as LintCode[];
  const indexes = new Map<string, number>(ids.map((id, index) => [id, index]));
  const prints = fingerprintFindings(diagnostics, findLine);
  const artifacts = diagnostics.map(({ file }) => toSarifArtifact(file));
  const root = artifacts.find((one) => one.root !== null)?.root;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'svc workflow lint',
            version,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: toSarifSentence(LINT_CODES[id]) },
              fullDescription: { text: `${toSarifSentence(LINT_CODES[id])} ${LINT_FIXES[id].fix}` },
              help: buildRuleHelp(id),
              defaultConfiguration: { level: findWorstSeverity(id) },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        ...(root && { originalUriBaseIds: { [ROOT]: { uri: `${pathToFileURL(root).href}/` } } }),
        results: diagnostics.map(({ line, column, code, severity, message, hint }, index) => ({
          ruleId: code,
          ruleIndex: indexes.get(code) ?? -1,
          level: severity,
          message: { text: hint === '' ? message : `${message} ${hint}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: artifacts[index]?.location,
                region: { startLine: line, startColumn: column },
              },
            },
          ],
          partialFingerprints: { primaryLocationLineHash: prints[index] },
        })),
      },
    ],
  };
}
