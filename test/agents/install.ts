import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentProgram, isInstalled } from './programs.ts';

/** Longest installation, ms. */
const INSTALL_MS = 600_000;

/**
 * Installs an agent into its own folder below `agentsDir`, without running scripts of packages.
 * Answers what went wrong; null = nothing.
 */
export function install(program: AgentProgram, agentsDir: string): string | null {
  const dir = join(agentsDir, program.id);
  mkdirSync(dir, { recursive: true });
  const args = [
    'install',
    '--prefix',
    dir,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    program.spec,
  ];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: INSTALL_MS });
  if (status === 0 && isInstalled(program, agentsDir)) return null;
  return stderr.trim().split('\n').slice(-3).join(' ') || `npm ended with ${status}`;
}
