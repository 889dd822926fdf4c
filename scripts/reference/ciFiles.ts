import { CI_FILES } from '../../src/policy/guardrails/ciFiles.ts';
import { page, table } from './markdown.ts';

/** docs/reference/ci-files.md: every file that the rule `no-workflow-file-change` is about. */
export function ciFilesPage(): string {
  const rows = CI_FILES.map(({ kind, decides, patterns }) => [
    `${kind}: ${decides}`,
    patterns.map((pattern) => `\`${pattern}\``).join(', '),
  ]);
  return page('Files of CI', 'src/policy/guardrails/ciFiles.ts', [
    'The rule `no-workflow-file-change` of the [guardrails](../guides/guardrails.md) makes a job wait for a person where its branch, or an edit, adds, changes or removes one of these files: they decide what runs\nelsewhere, with rights that the agent does not have. A name without a slash counts in any folder, one with a slash from the top folder; `*` stands for any characters within a name, `**` for any folders. Capital\nletters do not count.',
    'Not on the list, because their names are free: files that a pipeline includes or calls (scripts, `include: local` of GitLab, templates), and files of a project that its builds run, such as `package.json` and\n`Makefile`. Name those with the rule `protected-paths`.',
    table(['Kind', 'Files'], rows),
  ]);
}
