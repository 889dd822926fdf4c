import { claudeAgent } from './claudeAgent.ts';
import { codex } from './codex.ts';
import { custom } from './custom.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { Preset } from './preset.ts';

export const PRESETS: readonly Preset[] = [opencode, gemini, codex, claudeAgent, custom];
