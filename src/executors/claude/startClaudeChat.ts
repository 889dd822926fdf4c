import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatRequest, ChatRun } from '../../contract/planning/chat.ts';
import { buildChatPrompt } from '../process/buildChatPrompt.ts';
import { resolveChatFolders, runChatSession } from '../process/runChatSession.ts';
import { writeKeyFile } from '../process/keyFile.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { ClaudeSession } from './claudeSession.ts';
import type { ClaudeSessionOptions } from './buildQueryOptions.ts';

/**
 * Longest tool answer that the program shows its model, tokens. It would write a longer one to a
 * file, which its model could not read.
 */
const MAX_ANSWER_TOKENS = '100000';

const canAccessPath = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function hasConversation(home: string, id: string): Promise<boolean> {
  if (!/^[\w-]+$/.test(id)) return false;
  const projects = join(home, '.claude', 'projects');
  const folders = await readdir(projects).catch(() => []);
  const hasFile = await Promise.all(
    folders.map((folder) => canAccessPath(join(projects, folder, `${id}.jsonl`))),
  );
  return hasFile.includes(true);
}

/**
 * One turn of a plan-mode chat in a program of its own. Its model has the tools of the chat and
 * none of the program's; the program's plan mode is not used, since it is a state of the prompt and
 * writes files.
 */
export async function startClaudeChat({
  request,
  ...options
}: Omit<ClaudeSessionOptions, 'request' | 'chat'> & { request: ChatRequest }): Promise<ChatRun> {
  const { maxRounds, resume, stateDir } = request;
  const canResume =
    resume !== null && (await hasConversation(resolveChatFolders(stateDir).home, resume));
  return runChatSession({
    request: { ...request, env: { ...request.env, MAX_MCP_OUTPUT_TOKENS: MAX_ANSWER_TOKENS } },
    resume: canResume ? resume : null,
    command: null,
    linesAreAnswer: false,
    async start(session, onAgain) {
      const { settings } = options;
      await writeSessionFiles(session);
      if (settings.apiKey !== null) await writeKeyFile(session.sessionDir, settings.apiKey);
      return new ClaudeSession({
        ...options,
        request: session,
        // One request beside the rounds is for the closing words.
        settings: { ...settings, maxTurns: maxRounds + 2 },
        chat: {
          tools: request.tools.map(({ name }) => name),
          maxTurns: maxRounds + 1,
          afresh: buildChatPrompt(request),
          onAgain,
        },
      });
    },
  });
}
