import { served } from '../served.ts';
import { postgres } from '../servers/postgres.ts';

export const graphile = served({ name: 'graphile', workflows: 500, server: postgres });
