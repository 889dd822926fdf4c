import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import type { Diagnostic } from '../../../src/schema/diagnostic.ts';
import { lintPaths } from '../../../src/authoring/overlay/lintPaths.ts';
import { unknownTool } from '../../../src/tools/toolAllowlist.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import { lintGithub } from '../../render/lintGithub.ts';
import { lintSarif } from '../../render/lintSarif.ts';
import { lintText } from '../../render/lintText.ts';
import { modelsOfHome } from '../../connect/modelsOfHome.ts';
import { packageRoot } from '../../packageRoot.ts';

export default class WorkflowLintCommand extends LocalCommand {
  static override summary =
    'Check workflows and agents, without a runner. Exits with 1 if there are errors.';
  static override description =
    'Model aliases and executors are taken from this home (SVC_HOME, default ~/.svc). With --json: an array of { file, line, column, code, severity, message, hint }. Every code is described in docs/reference/lint.md.';
  static override examples = [
    '<%= config.bin %> workflow lint',
    '<%= config.bin %> workflow lint workflows/job.md',
    '<%= config.bin %> workflow lint .svc --sarif > lint.sarif',
    'cat job.md | <%= config.bin %> workflow lint -',
  ];
  static override args = {
    path: Args.string({
      description:
        'File, folder that contains workflows/ or agents/, or - for a workflow on standard input.',
      default: '.',
    }),
  };
  static override flags = {
    sarif: Flags.boolean({
      description: 'Print the findings as SARIF 2.1.0.',
      exclusive: ['json', 'format'],
    }),
    format: Flags.string({
      description:
        'text: for people. github: workflow commands, which GitHub shows next to the lines.',
      options: ['text', 'github'],
      default: 'text',
    }),
  };

  async run(): Promise<Diagnostic[]> {
    const { args, flags } = await this.parse(WorkflowLintCommand);
    const stdin = args.path === '-' ? { stdin: await this.io.readInput() } : {};
    const found = await lintPaths([args.path], {
      baseIntelligence: join(packageRoot(import.meta.url), 'intelligence'),
      unknownTool: unknownTool(['local']),
      ...(await modelsOfHome(this.io)),
      ...stdin,
    });
    const errors = found.filter(({ severity }) => severity === 'error').length;
    if (flags.sarif)
      this.print(`${JSON.stringify(lintSarif(found, this.config.version), null, 2)}\n`);
    else
      this.print(
        found
          .map((one) => (flags.format === 'github' ? lintGithub(one) : lintText(one, this.io)))
          .join(''),
      );
    if (!this.jsonEnabled())
      this.io.err(
        found.length === 0
          ? 'No findings.\n'
          : `${errors} errors, ${found.length - errors} warnings\n`,
      );
    if (errors > 0) this.io.exitWith(1);
    return found;
  }
}
