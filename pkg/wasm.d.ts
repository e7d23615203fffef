/** The address of the WebAssembly file, from a bundler that copies it. Pass it to `init`. */
declare const url: string;
export default url;
