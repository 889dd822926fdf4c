import { createContender } from '../served.ts';
import { postgres } from '../servers/postgres.ts';

export const dbos = createContender({ name: 'dbos', workflows: 500, server: postgres });
