/** A turn of the agent that is not over. */
export interface OpenTurn {
  /** Resolves when the turn is over. */
  over: Promise<void>;
  end(): void;
  interrupted: boolean;
}

export function openTurn(): OpenTurn {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end, interrupted: false };
}
