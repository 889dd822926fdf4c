import { toErrorMessage } from '../../../base/errors/errors.ts';
import { screenTexts } from '../../../base/secrets/screenSecrets.ts';
import type { McpTools, ToolAnswer } from '../../tools/host/answerMcp.ts';
import type { OpenedServer } from '../connection/openServers.ts';
import { restoreArguments } from './renameArguments.ts';
import { ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import { toFields } from '../../../base/json/untrusted.ts';

/** Longest instructions of a server that models are given, characters. */
const MAX_INSTRUCTIONS_CHARS = 4_000;

interface ServeOptions {
  /** Receives a line about a call without an answer. */
  onLost(line: string): void;
}

/**
 * An external server's tools as the runner serves them to an agent: with names and schemas that
 * every endpoint takes, and without secrets in their answers.
 */
export function serveTools(
  { server, connection, tools, screen }: OpenedServer,
  { onLost }: ServeOptions,
): McpTools {
  const { id } = server;
  const byName = new Map(tools.map((one) => [one.name, one.tool]));
  const fail = (text: string): ToolAnswer => ({ text, failed: true });
  return {
    instructions: screen(connection.instructions.slice(0, MAX_INSTRUCTIONS_CHARS)),
    takesLong: true,
    list: async () =>
      tools.map(({ name, tool: { description, inputSchema, hints } }) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
        ...(hints === undefined ? {} : { annotations: { ...hints } }),
      })),
    async call(name, args, abortSignal, onProgress) {
      const tool = byName.get(name);
      if (!tool) return fail(`The tool ${name} of the tool server ${id} does not exist.`);
      try {
        const originalArguments = restoreArguments(toFields(args), tool.argumentNames);
        const { content, failed } = await connection.call(tool.name, originalArguments, {
          signal: abortSignal,
          ...(onProgress ? { onProgress } : {}),
        });
        return {
          text: '',
          failed,
          content: content.map((part) => ContentBlockSchema.parse(screenTexts(part, screen))),
        };
      } catch (error) {
        const why = screen(toErrorMessage(error));
        if (!abortSignal.aborted)
          onLost(`The tool server ${id} did not answer a call of ${name}: ${why}`);
        return fail(`${name}: the tool server ${id} did not answer: ${why}`);
      }
    },
  };
}
