import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { SessionRequest } from '../../contract/session/executor.ts';
import { readCheckoutMemory } from '../process/readCheckoutMemory.ts';
import { readTurnLimits, type TurnLimits } from '../process/turnWatch.ts';
import { readMemoryPart, findOverlayFiles, renderSkillList } from '../process/findOverlayFiles.ts';
import type { AcpChat, AcpConfig, Launch, Preset } from './presets/preset.ts';
import { createServer } from 'node:net';

/** A free port on loopback. Rejects when none exists. */
const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

export interface AcpLaunchPlan extends Launch {
  preset: Preset;
  systemPrompt: string;
  limits: TurnLimits;
  dir: string;
}

/**
 * Writes the agent's configuration for this session and says how to start it. Throws SvcError
 * `bad-argument` for a missing setting. `chat`: the session is one turn of a plan-mode chat.
 */
export async function planAcpLaunch(
  preset: Preset,
  request: SessionRequest,
  config: AcpConfig,
  chat: AcpChat | null = null,
): Promise<AcpLaunchPlan> {
  const dir = join(request.sessionDir, 'acp');
  const files = await findOverlayFiles(request.overlayDir);
  const parts = [
    request.systemPrompt,
    preset.loadsMemory ? '' : await readMemoryPart(files),
    preset.loadsSkills ? '' : await renderSkillList(files),
    preset.loadsCheckoutMemory ? '' : await readCheckoutMemory(request.cwd),
  ];
  const systemPrompt = parts.filter((part) => part !== '').join('\n\n');
  const home = request.env.HOME ?? join(dir, 'home');
  const port = preset.servesHttp ? await findFreePort() : 0;
  const launch = preset.launch({ ...files, request, config, dir, home, systemPrompt, port, chat });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  for (const [name, content] of Object.entries(launch.files)) {
    const file = isAbsolute(name) ? name : join(dir, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // An earlier session may have left a link in its place; following it would write elsewhere.
    await rm(file, { force: true });
    const mode = content.startsWith('#!') ? 0o700 : 0o600;
    await writeFile(file, content, { mode, flag: 'wx' });
  }
  for (const [path, target] of Object.entries(launch.links ?? {})) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
    await symlink(target, path);
  }
  return { ...launch, preset, systemPrompt, limits: readTurnLimits(config), dir };
}

/** Removes what a session no longer needs: its key, and what the agent has unpacked. */
export const removeLeavings = async ({ dir, leavings }: AcpLaunchPlan): Promise<void> => {
  await Promise.all(
    leavings.map((path) =>
      rm(isAbsolute(path) ? path : join(dir, path), { recursive: true, force: true }),
    ),
  );
};
