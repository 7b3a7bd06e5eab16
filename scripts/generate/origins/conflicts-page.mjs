export const conflictsPage = () => "x\n";
