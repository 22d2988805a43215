package dev.spillway.console.size;

import java.util.Locale;

/** Processors that functions and services run on, and what they cost. */
enum Architecture {
  ARM64(LambdaPrice.ARM64, FargatePrice.ARM64),
  X86_64(LambdaPrice.X86_64, FargatePrice.X86_64);

  final LambdaPrice function;
  final FargatePrice service;

  Architecture(LambdaPrice function, FargatePrice service) {
    this.function = function;
    this.service = service;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
