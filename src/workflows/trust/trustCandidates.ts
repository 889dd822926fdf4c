import { sha256 } from '../../base/system/ids/ids.ts';
import { parseAgent } from '../definition/parseAgent.ts';
import { parseFrontMatter } from '../definition/parseFrontMatter.ts';

/** A repository's file that could make something run, so that a person has to trust it first. */
export interface TrustCandidate {
  path: string;
  /** Path in the overlay; null = the file is read in its place and is not in the overlay. */
  overlayPath: string | null;
  reason: string;
  bytes: Uint8Array;
  /**
   * Whether the overlay lacks the file without trust; otherwise only its declarations are refused.
   */
  leftOut: boolean;
}

/** The program and arguments in an agent markdown; null = none. */
export function readDeclaredCommand(path: string, bytes: Uint8Array): readonly string[] | null {
  const text = new TextDecoder().decode(bytes);
  if (!Object.hasOwn(parseFrontMatter(text, path).data, 'command')) return null;
  return parseAgent(text, path, 'repo', { trusted: true }).command ?? [];
}

const isAgent = (path: string): boolean => /^agents\/.+\.md$/.test(path);
const isWorkflow = (path: string): boolean => /^workflows\/[^/]+\.md$/.test(path);

/**
 * What a workflow markdown lets agents write to outside of their job, unparsed; empty = nothing.
 */
export function readGrantedWrites(path: string, bytes: Uint8Array): string[] {
  const { writesTo, coordinator } = Object(
    parseFrontMatter(new TextDecoder().decode(bytes), path).data,
  );
  return [writesTo, Object(Object(coordinator).subRunParamsDefault).writesTo].flatMap((list) =>
    Array.isArray(list) ? list.map(String) : [],
  );
}

/**
 * Agents that declare a program, texts that a declared program is given (`sh notes.txt` runs a
 * text), and workflows that let agents write outside of their job. `files`: by path in the overlay.
 */
export function findTrustCandidates(
  files: ReadonlyMap<string, Uint8Array>,
  toFilePath: (overlayPath: string) => string,
): TrustCandidate[] {
  const commands = new Map<string, readonly string[]>();
  for (const [overlayPath, bytes] of files) {
    const command = isAgent(overlayPath) ? readDeclaredCommand(overlayPath, bytes) : null;
    if (command !== null) commands.set(overlayPath, command);
  }
  const argumentsOfAll = [...commands.values()].flat();
  return [...files].flatMap(([overlayPath, bytes]) => {
    const isNamed = argumentsOfAll.some((argument) => argument.includes(overlayPath));
    const grants = isWorkflow(overlayPath) && readGrantedWrites(overlayPath, bytes).length > 0;
    if (!commands.has(overlayPath) && !isNamed && !grants) return [];
    const reason = commands.has(overlayPath)
      ? 'it declares a program to run'
      : isNamed
        ? 'a declared program receives it'
        : 'it names what its agents may write to';
    return [{ path: toFilePath(overlayPath), overlayPath, reason, bytes, leftOut: false }];
  });
}

/** Hash over every path and byte that needs trust; null = nothing does. */
export const hashTrustCandidates = (trustCandidates: readonly TrustCandidate[]): string | null =>
  trustCandidates.length === 0
    ? null
    : sha256(
        JSON.stringify(trustCandidates.map(({ path, bytes }) => [path, sha256(bytes)]).sort()),
      );
