export function writeMarketplace(root: string, target: string): void;
