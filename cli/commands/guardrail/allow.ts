import { Flags } from '@oclif/core';
import type { AllowReply } from '../../../src/contract/schema/policy/guardrailView.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class GuardrailAllowCommand extends SvcCommand {
  static override summary = 'Allow the action that a guardrail stopped.';
  static override description =
    'Allows exactly that action, for this job: any other action is checked again. The job continues. To continue without the action, use svc resume or svc message.';
  static override examples = [
    '<%= config.bin %> guardrail allow shop-job-1790000000000 --rule large-diff',
    '<%= config.bin %> guardrail allow shop-job-1790000000000 --rule large-diff --any-size',
    '<%= config.bin %> guardrail allow shop-job-1790000000000 --rule large-diff --no-resume',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    rule: Flags.string({ description: 'ID of the rule.', helpValue: '<id>', required: true }),
    decision: Flags.string({
      description: 'ID of the decision. Default: the newest one not yet allowed.',
      helpValue: '<id>',
    }),
    'any-size': Flags.boolean({
      description:
        'Allow any size of a change in this job, for a rule about sizes such as large-diff.',
      default: false,
    }),
    resume: Flags.boolean({
      description: 'Continue the job; --no-resume leaves it waiting.',
      default: true,
      allowNo: true,
    }),
  };

  async run(): Promise<AllowReply> {
    const parsed = await this.parse(GuardrailAllowCommand);
    refuseInsideSession(this.io.env, 'allow what a guardrail stopped');
    const { rule, decision, resume, 'any-size': anySize } = parsed.flags;
    const { job } = this.objects(['job'], parsed);
    const reply = await (await this.client(parsed.flags)).allowGuardrail(job, {
      rule,
      resume,
      ...(anySize ? { anySize } : {}),
      ...(decision === undefined ? {} : { decision }),
    });
    const { message, tool } = reply.decision;
    this.print(
      `${anySize ? 'Any size allowed' : 'Allowed exactly this'} for ${toPrintableLine(job)}${tool === '' ? '' : `, ${toPrintableLine(tool)}`}.\n`,
    );
    this.print(`  ${toPrintableLine(message)}\n`);
    this.print(
      reply.resumed ? 'The job continues.\n' : `To continue: svc resume ${toPrintableLine(job)}\n`,
    );
    return reply;
  }
}
