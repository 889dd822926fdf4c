import { createContender } from '../served.ts';
import { postgres } from '../servers/postgres.ts';

export const graphile = createContender({ name: 'graphile', workflows: 500, server: postgres });
