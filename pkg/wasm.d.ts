/** The address of the WebAssembly, from a bundler that copies the file. */
declare const url: string;
export default url;
