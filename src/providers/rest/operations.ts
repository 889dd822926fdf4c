import type {
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../contract/forge/forge.ts';

export type ForgeActions = {
  [K in ForgeOperation]: (args: ForgeOperations[K], actor: ForgeActor) => Promise<ForgeChange>;
};

/** How a forge finds out whether an operation was done; null = not visible. */
export type ForgeLookups = {
  [K in ForgeOperation]: (
    args: ForgeOperations[K],
    actor: ForgeActor,
  ) => Promise<ForgeChange | null>;
};
