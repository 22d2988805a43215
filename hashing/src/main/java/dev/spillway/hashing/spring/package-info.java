/**
 * For applications with Spring Security: its {@code PasswordEncoder}, and overload as exception.
 */
package dev.spillway.hashing.spring;
