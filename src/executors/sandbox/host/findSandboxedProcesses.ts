import { readdirSync, readFileSync } from 'node:fs';

interface Row {
  pid: number;
  parent: number;
  /** Depth of its process namespace. */
  depth: number;
}

function readProcessRow(pid: string): Row | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
    const depth = /^NSpid:\t(.*)$/m.exec(status)?.[1]?.split('\t').length ?? 1;
    return { pid: Number(pid), parent, depth };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

/** The innermost processes below `root`: those of the agent, not those around it. */
export function pickInnermostProcesses(rows: readonly Row[], root: number): number[] {
  const below = new Set([root]);
  // Repeated, since a parent may have a higher number once numbers wrap around.
  for (let grew = true; grew; ) {
    const more = rows.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    for (const { pid } of more) below.add(pid);
    grew = more.length > 0;
  }
  const inside = rows.filter(({ pid }) => pid !== root && below.has(pid));
  const deepest = Math.max(0, ...inside.map(({ depth }) => depth));
  return inside.filter(({ depth }) => depth === deepest).map(({ pid }) => pid);
}

/** The agent's processes in the sandbox of `root`; only on Linux. */
export function findSandboxedProcesses(root: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pickInnermostProcesses(
    pids.map(readProcessRow).filter((row) => row !== null),
    root,
  );
}
