export const walk = async (_: { walks: number; seed: number; told: (n: number) => void }) => ({});
