import { served } from '../served.ts';
import { redis } from '../servers/redis.ts';

export const bullmq = served({
  name: 'bullmq',
  workflows: 2_000,
  server: redis,
  carriesState: true,
});
