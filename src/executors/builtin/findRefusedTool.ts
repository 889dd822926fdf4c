import type { AgentTool } from './agentTool.ts';

/** `tools.35.custom.input_schema` of Anthropic's endpoint, `tools[35].function.parameters` of others. */
const PLACE = /\btools[.[](\d{1,5})\b/;

/**
 * The tool of an external server that an endpoint's refusal of a request is about, by its place in the
 * request or by its name; null where the refusal names none of them. `tools`: as they were sent.
 */
export function findRefusedTool(
  refusal: string,
  tools: readonly AgentTool[],
): (AgentTool & { server: string }) | null {
  const place = PLACE.exec(refusal)?.[1];
  const found =
    place === undefined
      ? tools.find(({ name, server }) => server !== undefined && hasWord(refusal, name))
      : tools[Number(place)];
  return found?.server === undefined ? null : { ...found, server: found.server };
}

const hasWord = (words: string, name: string): boolean => words.split(/[^\w-]+/).includes(name);
