import type { GuardrailList } from '../../../src/contract/schema/policy/guardrailView.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatGuardrails } from '../../render/policy/formatGuardrails.ts';

export default class GuardrailListCommand extends SvcCommand {
  static override summary = 'List the rules that limit what agents may do.';
  static override description =
    'Shows the effect of each rule, when it is checked, and how often it passed and stopped something. With --json it prints the reply of GET /guardrails, which also has the conditions.';
  static override examples = ['<%= config.bin %> guardrail list'];

  async run(): Promise<GuardrailList> {
    const { flags } = await this.parse(GuardrailListCommand);
    const list = await (await this.client(flags)).guardrails();
    this.print(formatGuardrails(list, this.io));
    if (!list.enabled) this.note('Guardrails are off (guardrails.enabled is false).\n');
    return list;
  }
}
