import { served } from '../served.ts';
import { postgres } from '../servers/postgres.ts';

export const dbos = served({ name: 'dbos', workflows: 500, server: postgres });
