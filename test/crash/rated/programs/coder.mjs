import { writeFileSync } from 'node:fs';

writeFileSync('NOTE.md', 'A note.\n');
