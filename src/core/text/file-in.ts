/** As `path.join` for a folder that is written plainly, without `..` and the like. Every event asks for several. */
export function fileIn(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}
