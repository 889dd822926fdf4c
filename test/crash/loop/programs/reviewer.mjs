import { existsSync } from 'node:fs';
import { tool } from '../../session.mjs';

if (!existsSync('NOTE.md'))
  await tool('goto_phase', { phase: 'coding', reason: 'the file is missing' });
