import { writeFileSync } from 'node:fs';
import { kickoff } from '../../session.mjs';

if (kickoff.includes('Write the file.')) writeFileSync('NOTE.md', 'A note.\n');
