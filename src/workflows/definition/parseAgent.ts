import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { readClaudeAgent } from './readClaudeAgent.ts';
import { PLACEHOLDERS, findUnknownPlaceholders } from './fillCommand.ts';
import { createFindings, sortFindings } from './findings.ts';
import { parseFrontMatter } from './parseFrontMatter.ts';
import { reportMisplacedFrontMatter } from './reportMisplacedFrontMatter.ts';
import { checkTools } from './phaseRules.ts';
import type { WorkflowContext } from './workflowContext.ts';
import { createShapeCheck } from './createShapeCheck.ts';
import { AgentFrontMatter } from './workflowShape.ts';

/** The layers of an overlay; later ones override earlier ones. */
export const LAYER_NAMES = ['base', 'tenant', 'repo'] as const;
export type LayerName = (typeof LAYER_NAMES)[number];

export interface ParsedAgent {
  file: string;
  name: string;
  description: string;
  /** The agent's instructions, below the front matter, and the file's line where they begin. */
  body: string;
  bodyLine: number;
  /**
   * Program and arguments with placeholders; null = a model runs the agent. From the repo layer
   * only if it is trusted.
   */
  command: string[] | null;
  /** Names of the tools that the agent may use; null = all. */
  tools: string[] | null;
  diagnostics: Diagnostic[];
}

const checkShape = createShapeCheck(AgentFrontMatter, {
  command:
    'Write program and arguments as a list, such as ["node", "{layer}/programs/coder.mjs"]; no shell reads it.',
});

const KEYS = Object.keys(AgentFrontMatter.properties);

export interface AgentContext
  extends Pick<WorkflowContext, 'unknownTool' | 'unknownProvider' | 'servers' | 'lacksProgram'> {
  /** Folder of the layer, for `{layer}`; default: none. */
  layerRoot?: string | null;
  /**
   * A person has recorded that programs of this layer may run; default: those of base and tenant
   * may.
   */
  trusted?: boolean;
}

/** Reads and lints an agent markdown of one layer. Never throws. */
export function parseAgent(
  text: string | Uint8Array,
  file: string,
  layer: LayerName,
  context: AgentContext = {},
): ParsedAgent {
  const front = parseFrontMatter(text, file);
  const findings = createFindings(file);
  findings.list.push(...front.diagnostics);
  const isPlain = !front.readable && !findings.hasErrors();
  if (isPlain) reportMisplacedFrontMatter(front.body, KEYS, findings);
  const data = front.readable ? readClaudeAgent(front.data, front.positions, findings) : {};
  const read = front.readable ? checkShape(data, [], front.positions, findings) : null;
  const command = read?.command ?? null;
  const { trusted = layer !== 'repo' } = context;
  if (!trusted && Object.hasOwn(front.data, 'command')) {
    findings.error(
      'command-not-trusted',
      front.positions.key(['command']),
      'The repository declares a program to run, but its current version is not trusted.',
      'Review it with svc trust show, move the agent into the tenant layer, or remove command.',
    );
  }
  if (read?.tools) checkTools(read.tools, ['tools'], context, front.positions, findings);
  for (const [index, argument] of (command ?? []).entries()) {
    for (const name of findUnknownPlaceholders(argument)) {
      const placeholders = PLACEHOLDERS.map((one) => `{${one}}`).join(', ');
      findings.error(
        'unknown-placeholder',
        front.positions.value(['command', index]),
        `Unknown placeholder {${name}}.`,
        `Known: ${placeholders}.`,
      );
    }
  }
  for (const [index, argument] of (command ?? []).entries()) {
    if (index > 0 && !argument.startsWith('{layer}/')) continue;
    const why = context.lacksProgram?.(argument, context.layerRoot ?? null) ?? null;
    if (why !== null)
      findings.addWarning(
        'missing-program',
        front.positions.value(['command', index]),
        `The agent cannot run here: ${why}.`,
        'Install it, or correct the command.',
      );
  }
  if (command === null && front.body.trim() === '' && !findings.hasErrors()) {
    findings.error(
      'agent-without-text',
      { line: front.bodyLine, column: 1 },
      'The agent has neither instructions nor a command.',
      'Write what the agent should do.',
    );
  }
  return {
    file,
    name: read?.name ?? (file.split('/').at(-1) ?? file).replace(/\.md$/, ''),
    description: read?.description ?? '',
    body: front.body,
    bodyLine: front.bodyLine,
    command: findings.hasErrors() ? null : command,
    tools: read?.tools ?? null,
    diagnostics: sortFindings(findings.list),
  };
}
