import { toDocsAddress } from '../../../src/base/http/toDocsAddress.ts';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import type { Diagnostic } from '../../../src/contract/schema/workflow/diagnostic.ts';
import { type LintResult, lintSources } from '../../../src/workflows/overlay/lintPaths.ts';
import { createUnknownToolExplainer } from '../../../src/executors/tools/catalogue/toolAllowlist.ts';
import { LocalCommand } from '../../base/localCommand.ts';
import {
  formatLintForGithub,
  summarizeLint,
  formatLint,
  formatProof,
} from '../../render/workflow/formatLint.ts';
import { formatLintAsSarif } from '../../render/workflow/formatLintAsSarif.ts';
import { readHomeLintContext } from '../../local/home/readHomeLintContext.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { decodeSource } from '../../input/readWorkflowDraft.ts';

export default class WorkflowLintCommand extends LocalCommand {
  static override summary =
    'Check workflows and agents, without a runner. Exits with 1 if there are errors.';
  static override description =
    `Model aliases, executors and tool servers are read from this home (SVC_HOME, default ~/.svc), tool servers also from the repository's .mcp.json. With --json: an array of { file, line, column, code, severity, message, hint }. Shows what was proved for each invariant. Every code is described in ${toDocsAddress('reference/lint.md')}.`;
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
    proofs: Flags.boolean({
      description:
        'With --json: print an object { diagnostics, proofs } with the proof of each invariant, its shortest path and the script that plays it.',
    }),
    format: Flags.string({
      description:
        'text: for people, each finding with its line. github: workflow commands, which GitHub shows next to the lines. json and sarif: the same as --json and --sarif.',
      options: ['text', 'json', 'sarif', 'github'],
      default: 'text',
    }),
  };

  async run(): Promise<Diagnostic[] | Pick<LintResult, 'diagnostics' | 'proofs'>> {
    const { args, flags } = await this.parse(WorkflowLintCommand);
    const stdin = args.path === '-' ? { stdin: await this.io.readBytes() } : {};
    const { diagnostics, sources, proofs } = await lintSources([args.path], {
      baseIntelligence: join(findPackageRoot(import.meta.url), 'intelligence'),
      unknownTool: createUnknownToolExplainer(['local']),
      ...(await readHomeLintContext(this.io, args.path)),
      ...stdin,
    });
    const reply = flags.proofs ? { diagnostics, proofs } : diagnostics;
    const readSource = ({ file }: Diagnostic) => decodeSource(sources.get(file));
    if (flags.sarif || flags.format === 'sarif') {
      const log = formatLintAsSarif(diagnostics, {
        version: this.config.version,
        findLine: (one) => readSource(one)?.split('\n')[one.line - 1],
      });
      this.print(`${JSON.stringify(log, null, 2)}\n`);
    } else if (flags.format === 'json') this.print(`${JSON.stringify(reply, null, 2)}\n`);
    else if (flags.format === 'github') this.print(diagnostics.map(formatLintForGithub).join(''));
    else this.print(diagnostics.map((one) => formatLint(one, this.io, readSource(one))).join(''));
    if (!this.jsonEnabled() && !flags.sarif && flags.format === 'text')
      this.note(proofs.map((one) => formatProof(one.file, one, this.io)).join(''));
    this.note(summarizeLint(diagnostics, sources.size));
    if (diagnostics.some(({ severity }) => severity === 'error')) this.io.exitWith(1);
    return reply;
  }
}
