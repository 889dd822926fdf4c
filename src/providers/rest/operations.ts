import type {
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../contract/forge.ts';

/** How a forge does each operation. */
export type Acts = {
  [K in ForgeOperation]: (args: ForgeOperations[K], actor: ForgeActor) => Promise<ForgeChange>;
};

/** How a forge checks whether an operation was done; null = not visible. */
export type Looks = {
  [K in ForgeOperation]: (
    args: ForgeOperations[K],
    actor: ForgeActor,
  ) => Promise<ForgeChange | null>;
};
